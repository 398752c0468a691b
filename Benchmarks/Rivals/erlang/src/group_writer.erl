%% SPDX-License-Identifier: Apache-2.0
%% One process that writes durably: it gathers what has arrived, up to a group, writes it at once,
%% and answers when all of it is on the disk.
-module(group_writer).
-export([start/2, append/3, note/2, stop/1]).

start(Path, Group) ->
    Self = self(),
    Work = fun() ->
        Open = durable_log:open(Path),
        Self ! {self(), open},
        serve(Open, Group)
    end,
    Pid = spawn_opt(Work, [link, {min_heap_size, 65536}]),
    receive {Pid, open} -> Pid end.

%% The client of a session's call gets its answer from here, after the group is on the disk.
append(Pid, From, Record) -> Pid ! {append, From, Record}, ok.

%% A record that no caller waits for; it goes to the disk with the next group.
note(Pid, Record) -> Pid ! {append, none, Record}, ok.

stop(Pid) ->
    Pid ! {stop, self()},
    receive {Pid, closed} -> ok end.

serve(Open, Group) ->
    receive
        {append, From, Record} ->
            {Clients, Records} = gather(Group - 1, [From], [Record]),
            ok = durable_log:write(Open, lists:reverse(Records)),
            [gen_server:reply(Client, ok) || Client <- Clients, Client =/= none],
            serve(Open, Group);
        {stop, Owner} ->
            ok = durable_log:close(Open),
            Owner ! {self(), closed}
    end.

gather(0, Clients, Records) -> {Clients, Records};
gather(Left, Clients, Records) ->
    receive
        {append, From, Record} -> gather(Left - 1, [From | Clients], [Record | Records])
    after 0 -> {Clients, Records}
    end.
