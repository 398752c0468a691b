%% SPDX-License-Identifier: Apache-2.0
%% The ten-field state and its bytes: a map in the external term format, names included.
-module(scene_state).
-export([load/0, new/1, encode/1, decode/1, check/2]).

%% The fields that never change are shared by all processes and are never copied or collected.
load() -> persistent_term:put(?MODULE, base()).

new(Edits) -> (persistent_term:get(?MODULE))#{edits := Edits}.

encode(State) -> term_to_binary(State).

decode(Bytes) -> binary_to_term(Bytes).

%% Equality of maps compares every field, names and values.
check(State, Edits) ->
    case new(Edits) of
        State -> State;
        _ -> rivals:fail({state_differs, State})
    end.

base() ->
    #{type => <<"org.example.draft">>,
      document => <<"3f2b8c1e-5d47-4a90-9c1b-7e6a2d8f0b35">>,
      author => <<"a81c4d2f-0e63-4b7a-8f59-1c2d3e4f5a6b">>,
      edited => 812345678.25,
      tags => [<<"tag number ", (integer_to_binary(I))/binary>> || I <- lists:seq(0, 15)],
      thumbnail => << <<(I * 37 rem 256)>> || I <- lists:seq(0, 199) >>,
      zoom => 1.25,
      isPinned => true,
      edits => 0,
      title => <<"A draft of a letter">>}.
