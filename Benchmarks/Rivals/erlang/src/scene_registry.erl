%% SPDX-License-Identifier: Apache-2.0
%% Which process serves which identifier.
%% One table: with read and write concurrency ETS keeps its own lock stripes, so a second layer of
%% shards costs a hash for each look-up and gains nothing.
-module(scene_registry).
-export([open/0, close/0, insert/2, pid/1, delete/1]).

open() ->
    ?MODULE = ets:new(?MODULE, [named_table, public, set, {read_concurrency, true},
                                {write_concurrency, auto}]),
    ok.

close() -> ets:delete(?MODULE).

insert(Id, Pid) -> ets:insert(?MODULE, {Id, Pid}).

pid(Id) -> ets:lookup_element(?MODULE, Id, 2).

delete(Id) -> ets:delete(?MODULE, Id).
