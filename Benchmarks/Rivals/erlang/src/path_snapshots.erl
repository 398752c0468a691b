%% SPDX-License-Identifier: Apache-2.0
%% snapshots: appends groups of encoded states to a disk_log and synchronizes after each group.
-module(path_snapshots).
-export([run/2]).

run(Group, Options = #{dir := Dir}) ->
    File = filename:join(Dir, "rivals-snapshots-" ++ os:getpid() ++ ".log"),
    Log = group_log:open(File),
    States = [scene_state:encode(scene_state:new(E)) || E <- lists:seq(1, Group)],
    Started = rate:nanoseconds(),
    Groups = groups(rate:deadline(Options), Log, States, 0),
    Rate = rate:per_second(Groups * Group, Started),
    Items = proplists:get_value(no_written_items, disk_log:info(Log)),
    ok = disk_log:close(Log),
    file:delete(File),
    Items =:= Groups * Group orelse rivals:fail({snapshots, Items, Groups}),
    Rate.

groups(Deadline, Log, States, Count) ->
    case rate:nanoseconds() < Deadline of
        true ->
            ok = disk_log:blog_terms(Log, States),
            ok = disk_log:sync(Log),
            groups(Deadline, Log, States, Count + 1);
        false -> Count
    end.
