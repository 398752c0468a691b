%% SPDX-License-Identifier: Apache-2.0
%% The memory store: the saved bytes of sessions that are not connected.
%% Bytes above 64 are reference counted outside of the heaps, so a put or a get copies no state.
-module(scene_store).
-export([open/0, close/0, put/2, get/1, delete/1, size/0]).

open() ->
    ?MODULE = ets:new(?MODULE, [named_table, public, set, {read_concurrency, true},
                                {write_concurrency, auto}]),
    ok.

close() -> ets:delete(?MODULE).

put(Id, Bytes) -> ets:insert(?MODULE, {Id, Bytes}).

get(Id) -> ets:lookup_element(?MODULE, Id, 2).

delete(Id) -> ets:delete(?MODULE, Id).

size() -> ets:info(?MODULE, size).
