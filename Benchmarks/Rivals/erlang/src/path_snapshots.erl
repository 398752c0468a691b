%% SPDX-License-Identifier: Apache-2.0
%% snapshots: groups of encoded states, each synchronized; appended to a disk_log, or replaced in a
%% mnesia table.
-module(path_snapshots).
-export([run/2, run_mnesia/2]).

run(Group, Options = #{dir := Dir}) ->
    File = durable_log:path(Dir),
    Log = durable_log:open(File),
    States = [scene_state:encode(scene_state:new(E)) || E <- lists:seq(1, Group)],
    Append = fun(_) ->
        ok = disk_log:blog_terms(Log, States),
        ok = disk_log:sync(Log)
    end,
    {Groups, Rate} = measure(Group, Options, Append),
    Items = proplists:get_value(no_written_items, disk_log:info(Log)),
    ok = durable_log:close(Log),
    durable_log:remove(File),
    Items =:= Groups * Group orelse rivals:fail({snapshots, Items, Groups}),
    Rate.

%% Sessions take turns, so that each has the state of its last turn.
run_mnesia(Group, Options = #{dir := Dir, sessions := N}) ->
    Folder = durable_table:path(Dir),
    Table = durable_table:open(Folder),
    sessions:identifiers(N),
    Bytes = list_to_tuple([scene_state:encode(scene_state:new(E)) || E <- lists:seq(0, 63)]),
    Put = fun(I, Count) ->
        {put, sessions:id((Count * Group + I) rem N + 1), element(Count band 63 + 1, Bytes)}
    end,
    Replace = fun(Count) ->
        ok = durable_table:write(Table, [Put(I, Count) || I <- lists:seq(0, Group - 1)])
    end,
    {Groups, Rate} = measure(Group, Options, Replace),
    ok = durable_table:close(Table),
    Expected = maps:from_list([{Id, State} || Count <- lists:seq(0, Groups - 1),
                                              I <- lists:seq(0, Group - 1),
                                              {put, Id, State} <- [Put(I, Count)]]),
    Contents = maps:from_list(durable_table:contents(Folder)),
    durable_table:remove(Folder),
    Contents =:= Expected
        orelse rivals:fail({snapshots, maps:size(Contents), maps:size(Expected)}),
    Rate.

%% Calls Write with the number of the group until the time is over.
measure(Group, Options, Write) ->
    Started = rate:nanoseconds(),
    Groups = groups(rate:deadline(Options), Write, 0),
    {Groups, rate:per_second(Groups * Group, Started)}.

groups(Deadline, Write, Count) ->
    case rate:nanoseconds() < Deadline of
        true -> Write(Count), groups(Deadline, Write, Count + 1);
        false -> Count
    end.
