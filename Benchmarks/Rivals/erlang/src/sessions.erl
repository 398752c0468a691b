%% SPDX-License-Identifier: Apache-2.0
%% Many sessions at once: the identifiers of a measurement and the processes behind them.
-module(sessions).
-export([identifiers/1, id/1, start/2, totals/1, stop/1]).

%% The identifiers are one shared constant tuple, so a producer reads one without copying it.
identifiers(N) ->
    {List, _} = lists:mapfoldl(fun(_, S) -> rate:identifier(S) end, rate:seed(7),
                               lists:seq(1, N)),
    persistent_term:put(?MODULE, list_to_tuple(List)).

id(I) -> element(I, persistent_term:get(?MODULE)).

start(#{sessions := N}, How) ->
    identifiers(N),
    scene_registry:open(),
    each(N, fun(I) -> scene_session:start(id(I), How) end).

%% The sums of what the sessions counted: messages, payloads, messages out of order.
totals(#{sessions := N}) ->
    lists:foldl(fun(I, {Count, Sum, Errors}) ->
                        {C, S, E} = scene_session:report(scene_registry:pid(id(I))),
                        {Count + C, Sum + S, Errors + E}
                end, {0, 0, 0}, lists:seq(1, N)).

stop(#{sessions := N}) ->
    each(N, fun(I) -> scene_session:finish(scene_registry:pid(id(I)), disconnect) end),
    scene_registry:close().

each(0, _) -> ok;
each(I, Body) -> Body(I), each(I - 1, Body).
