%% SPDX-License-Identifier: Apache-2.0
%% The program: reads the flags, runs the paths one after another and prints the CSV.
-module(rivals).
-export([main/0, fail/1]).

-define(PATHS, "memory,memory_hibernated,deliver,call,cycle,cycle_durable,cycle_mnesia,route,"
               "route_mixed,encode,decode,snapshots,snapshots_mnesia").

%% The work runs in a process of its own, so that any crash below becomes exit code 1.
main() ->
    Options = options(init:get_plain_arguments(), defaults()),
    {Pid, Ref} = spawn_monitor(fun() -> run(Options) end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> stop(0);
        {'DOWN', Ref, process, Pid, Reason} ->
            io:format(standard_error, "failed: ~p~n", [Reason]),
            stop(1)
    end.

%% Ends the calling process, and with it the program, because a check found a difference.
-spec fail(term()) -> no_return().
fail(What) ->
    exit({check_failed, What}).

defaults() ->
    #{sessions => 100000, seconds => 3.0, callers => undefined, producers => [1, 2, 8],
      header => true, paths => string:lexemes(?PATHS, ","),
      dir => os:getenv("TMPDIR", "/tmp")}.

options([], Options) -> Options;
options(["--no-header" | Rest], Options) -> options(Rest, Options#{header := false});
options([Flag, Value | Rest], Options) ->
    try option(Flag, Value) of
        {Key, Parsed} -> options(Rest, Options#{Key := Parsed})
    catch
        _:_ -> usage([Flag, " ", Value])
    end;
options([Flag], _) -> usage(Flag).

option("--sessions", Value) -> {sessions, positive(list_to_integer(Value))};
option("--seconds", Value) -> {seconds, positive(number(Value))};
option("--callers", Value) -> {callers, numbers(Value)};
option("--producers", Value) ->
    Producers = numbers(Value),
    true = lists:max(Producers) =< 8,
    {producers, Producers};
option("--dir", Value) -> {dir, Value};
option("--paths", Value) ->
    Paths = [_ | _] = string:lexemes(Value, ","),
    [] = Paths -- string:lexemes(?PATHS, ","),
    {paths, Paths}.

numbers(Text) -> [positive(list_to_integer(T)) || T <- string:lexemes(Text, ",")].

number(Text) ->
    try list_to_float(Text) catch error:badarg -> float(list_to_integer(Text)) end.

positive(Number) when Number > 0 -> Number.

usage(What) ->
    io:format(standard_error,
              "bad flag: ~s~nflags: --sessions N --seconds S --paths A,B --callers LIST "
              "--producers LIST --dir PATH~npaths: ~s~n", [What, ?PATHS]),
    stop(2).

run(Options = #{paths := Paths}) ->
    scene_state:load(),
    [io:put_chars("rival,version,path,parameter,value,unit\n") || maps:get(header, Options)],
    [path(Path, Options) || Path <- Paths],
    ok.

path("memory" ++ _ = Path, Options) -> memory(Path, Options);
path("deliver", O = #{producers := Producers}) ->
    [row("deliver", {"producers=~b", [P]}, path_deliver:run(P, O)) || P <- Producers];
path("call", O) ->
    [row("call", {"callers=~b", [C]}, path_call:run(C, O)) || C <- callers(O, [1, 8, 64])];
path("cycle", O) ->
    [row("cycle", {"callers=~b", [C]}, path_cycle:run(C, O)) || C <- callers(O, [1, 8, 64])];
path("cycle_durable", O) ->
    [row("cycle_durable", {"store=disk_log;callers=~b", [C]}, path_cycle:run_durable(C, O))
     || C <- callers(O, [64])];
path("cycle_mnesia", O) ->
    [row("cycle_mnesia", {"store=mnesia;callers=~b", [C]}, path_cycle:run_mnesia(C, O))
     || C <- callers(O, [64])];
path("route", O) -> row("route", {"tables=1", []}, path_route:run(O));
path("route_mixed", O) -> row("route_mixed", {"tables=4", []}, path_route_mixed:run(O));
path("snapshots", O) -> row("snapshots", {"group=256", []}, path_snapshots:run(256, O));
path("snapshots_mnesia", O) ->
    row("snapshots_mnesia", {"group=256", []}, path_snapshots:run_mnesia(256, O));
path("encode", O) -> row("encode", bytes(), path_codec:encode(O));
path("decode", O) -> row("decode", bytes(), path_codec:decode(O)).

callers(#{callers := undefined}, Default) -> Default;
callers(#{callers := Callers}, _) -> Callers.

bytes() -> {"bytes=~b", [byte_size(scene_state:encode(scene_state:new(0)))]}.

%% Resident memory is only meaningful in a virtual machine that has done nothing before, so each
%% memory path that shares a run with others gets its own.
memory(Path, O = #{paths := [_], sessions := N}) ->
    row(Path, {"sessions=~b", [N]}, path_memory:run(Path, O), "B");
memory(Path, #{sessions := N}) ->
    Arguments = ["--no-header", "--paths", Path, "--sessions", integer_to_list(N)],
    Port = open_port({spawn_executable, os:getenv("RIVALS_RUN")},
                     [{args, Arguments}, exit_status, binary]),
    relay(Port).

relay(Port) ->
    receive
        {Port, {data, Text}} -> io:put_chars(Text), relay(Port);
        {Port, {exit_status, 0}} -> ok;
        {Port, {exit_status, Status}} -> fail({memory_run, Status})
    end.

row(Path, Parameter, Value) -> row(Path, Parameter, Value, "1/s").

row(Path, {Format, Arguments}, Value, Unit) ->
    io:format("erlang,~s,~s,~s,~b,~s~n",
              [version(), Path, io_lib:format(Format, Arguments), round(Value), Unit]).

version() ->
    ["OTP-", erlang:system_info(otp_release), "/erts-", erlang:system_info(version)].

%% Waits until everything printed has left, then ends the virtual machine.
-spec stop(non_neg_integer()) -> no_return().
stop(Code) -> halt(Code, [{flush, true}]).
