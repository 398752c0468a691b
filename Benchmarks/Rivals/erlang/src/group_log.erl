%% SPDX-License-Identifier: Apache-2.0
%% The durable store: one process that gathers what has arrived, up to a group, appends it to a
%% disk_log and synchronizes the file once for all of them.
-module(group_log).
-export([start/2, append/3, note/2, stop/1, count_puts/1, open/1]).

open(File) ->
    _ = file:delete(File),
    {ok, Log} = disk_log:open([{name, make_ref()}, {file, File}, {type, halt},
                               {format, internal}, {mode, read_write}]),
    Log.

start(File, Group) ->
    Self = self(),
    Pid = spawn_opt(fun() -> Self ! {self(), open}, serve(open(File), Group) end,
                    [link, {min_heap_size, 65536}]),
    receive {Pid, open} -> Pid end.

%% The client of a session's call gets its answer from here, after the group is on the disk.
append(Pid, From, Record) -> Pid ! {append, From, Record}, ok.

%% A record that nobody waits for; it goes to the disk with the next group.
note(Pid, Record) -> Pid ! {append, nobody, Record}, ok.

stop(Pid) ->
    Pid ! {stop, self()},
    receive {Pid, closed} -> ok end.

serve(Log, Group) ->
    receive
        {append, From, Record} ->
            {Clients, Records} = gather(Group - 1, [From], [Record]),
            ok = disk_log:log_terms(Log, lists:reverse(Records)),
            ok = disk_log:sync(Log),
            [gen_server:reply(Client, ok) || Client <- Clients, Client =/= nobody],
            serve(Log, Group);
        {stop, Owner} ->
            ok = disk_log:close(Log),
            Owner ! {self(), closed}
    end.

gather(0, Clients, Records) -> {Clients, Records};
gather(Left, Clients, Records) ->
    receive
        {append, From, Record} -> gather(Left - 1, [From | Clients], [Record | Records])
    after 0 -> {Clients, Records}
    end.

%% Reads the file again and counts the states in it.
count_puts(File) ->
    {ok, Log} = disk_log:open([{name, make_ref()}, {file, File}, {mode, read_only}]),
    Count = count_puts(Log, disk_log:chunk(Log, start), 0),
    ok = disk_log:close(Log),
    Count.

count_puts(_Log, eof, Count) -> Count;
count_puts(Log, {Next, Records}, Count) ->
    Puts = length([Id || {put, Id, _} <- Records]),
    count_puts(Log, disk_log:chunk(Log, Next), Count + Puts).
