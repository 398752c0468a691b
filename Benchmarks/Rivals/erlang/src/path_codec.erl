%% SPDX-License-Identifier: Apache-2.0
%% encode and decode: the ten-field state, one process.
-module(path_codec).
-export([encode/1, decode/1]).

encode(Options) ->
    measure(Options, fun(Edits, _) -> scene_state:encode(scene_state:new(Edits)) end).

%% The states to decode are made before; each result is matched by the field that changes.
decode(Options) ->
    Encoded = list_to_tuple([scene_state:encode(scene_state:new(E)) || E <- lists:seq(0, 63)]),
    measure(Options, fun(Count, _) ->
        Edits = Count band 63,
        #{edits := Edits} = scene_state:decode(element(Edits + 1, Encoded))
    end).

measure(Options, Step) ->
    [Rate] = rate:workers(1, fun(_) ->
        _ = scene_state:check(scene_state:decode(scene_state:encode(scene_state:new(5))), 5),
        Started = rate:nanoseconds(),
        rate:per_second(rate:loop(rate:deadline(Options), Step, none), Started)
    end),
    Rate.
