%% SPDX-License-Identifier: Apache-2.0
%% The program: measures a path, with so many sessions and workers, for so many seconds, and prints
%% operations a second. Durable paths keep their files in a folder.
-module(rivals).
-export([main/0, fail/1]).

%% The work runs in a process of its own, so that any crash below becomes exit code 1.
main() ->
    {Pid, Ref} = spawn_monitor(fun() -> run(init:get_plain_arguments()) end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> halt(0, [{flush, true}]);
        {'DOWN', Ref, process, Pid, Reason} ->
            io:format(standard_error, "failed: ~p~n", [Reason]),
            halt(1, [{flush, true}])
    end.

%% Ends the calling process, and with it the program, because a check found a difference.
-spec fail(term()) -> no_return().
fail(What) ->
    exit({check_failed, What}).

run([Path, Sessions, Seconds, Workers | Dir]) ->
    scene_state:load(),
    Options = #{sessions => list_to_integer(Sessions), seconds => number(Seconds), dir => Dir},
    io:format("~b~n", [round(path(Path, list_to_integer(Workers), Options))]).

path("deliver", Producers, O) -> path_deliver:run(Producers, O);
path("call", Callers, O) -> path_call:run(Callers, O);
path("cycle", Callers, O) -> path_cycle:run(Callers, O);
path("cycle_kept", Callers, O) -> path_cycle_kept:run(Callers, O);
path("cycle_durable", Callers, O) -> path_cycle:run_durable(Callers, O);
path("route", _, O) -> path_route:run(O);
path("encode", _, O) -> path_codec:encode(O);
path("decode", _, O) -> path_codec:decode(O).

number(Text) ->
    try list_to_float(Text) catch error:badarg -> list_to_integer(Text) end.
