%% SPDX-License-Identifier: Apache-2.0
%% memory and memory_hibernated: resident bytes for each idle connected session.
-module(path_memory).
-export([run/2]).

run(Path, #{sessions := N}) ->
    sessions:identifiers(N),
    scene_registry:open(),
    erlang:garbage_collect(),
    Before = resident(),
    connect(N, Path =:= "memory_hibernated"),
    erlang:garbage_collect(),
    timer:sleep(200),
    (resident() - Before) / N.

%% Each session has got one message, so that its small state is filled.
connect(0, _) -> ok;
connect(I, Hibernated) ->
    Pid = scene_session:start(sessions:id(I), new),
    message(Pid, Hibernated, {1, I, I}),
    {1, I, 0} = report(Pid, Hibernated, I),
    connect(I - 1, Hibernated).

message(Pid, true, Message) -> gen_server:cast(Pid, {first_and_hibernate, Message});
message(Pid, false, Message) -> gen_server:cast(Pid, Message).

%% A report would wake a hibernated session, so its state is trusted there.
report(_, true, I) -> {1, I, 0};
report(Pid, false, _) -> scene_session:report(Pid).

resident() ->
    {ok, Status} = file:read_file("/proc/self/status"),
    {match, [Kilobytes]} = re:run(Status, "VmRSS:\\s+(\\d+)", [{capture, all_but_first, list}]),
    list_to_integer(Kilobytes) * 1024.
