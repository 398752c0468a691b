%% SPDX-License-Identifier: Apache-2.0
%% A session with a row in session_table, as long as it is in memory. It gets all requests from
%% there, answers to who made them, and checks the state that it is restored from.
-module(kept_session).
-behaviour(gen_server).
-export([start/3]).
-export([init/1, handle_call/3, handle_cast/2]).

%% How: new, or stored if there is a state; Edits is known to the caller.
start(Id, How, Edits) -> gen_server:start(?MODULE, {Id, How, Edits}, []).

init({Id, How, Edits}) ->
    case session_table:connect(Id, How) of
        ok -> {ok, {Id, scene(How, Id, Edits)}};
        refused -> ignore
    end.

scene(new, _, Edits) -> scene_state:new(Edits);
scene(stored, Id, Edits) -> scene_state:check(scene_state:decode(scene_store:get(Id)), Edits).

handle_call(_, _, S) -> {stop, unexpected, S}.

handle_cast({foreground, Client}, S) ->
    gen_server:reply(Client, ok),
    {noreply, S};
handle_cast({background, Client}, S) ->
    save(S, Client),
    {noreply, S};
handle_cast(evict, S) ->
    save(S, none),
    {stop, normal, S};
handle_cast(finish, S) -> {stop, normal, S}.

save({Id, Scene}, Client) ->
    scene_store:put(Id, scene_state:encode(Scene)),
    session_table:saved(Id, Client).
