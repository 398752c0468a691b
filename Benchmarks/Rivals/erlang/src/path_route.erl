%% SPDX-License-Identifier: Apache-2.0
%% route: exact look-ups of identifiers in one ETS table, one process.
-module(path_route).
-export([run/1]).

run(Options = #{sessions := N}) ->
    sessions:identifiers(N),
    Table = ets:new(route, [set, public, {read_concurrency, true}]),
    [ets:insert(Table, {sessions:id(I), I}) || I <- lists:seq(1, N)],
    [Rate] = rate:workers(1, fun(_) ->
        Started = rate:nanoseconds(),
        Step = fun(_, Random) -> look_up(Table, N, Random) end,
        rate:per_second(rate:loop(rate:deadline(Options), Step, rate:seed(1)), Started)
    end),
    ets:delete(Table),
    Rate.

look_up(Table, N, Random) ->
    {I, Next} = rate:pick(N, Random),
    case ets:lookup_element(Table, sessions:id(I), 2) of
        I -> Next;
        Other -> rivals:fail({route, I, Other})
    end.
