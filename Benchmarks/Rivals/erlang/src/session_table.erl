%% SPDX-License-Identifier: Apache-2.0
%% Every session there is, whether or not it has a process. Each request passes this server, which
%% alone changes the rows and never waits for a session: the session answers, or ends.
-module(session_table).
-behaviour(gen_server).
-export([open/2, close/0, connect/2, foreground/1, background/1, saved/2, disconnect/1, destroy/1,
         row/1, counts/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% number rises with each new session, used with each request: the order of recency. version is of
%% the state that is kept, 0 as long as there is none. phase: disconnected, connected, foreground,
%% background, ending.
-record(row, {id, number, used = 0, version = 0, phase = disconnected, pid, monitor}).

%% ends: what follows when a process has ended, by its monitor. deferred: requests that wait for an
%% end, the last one first.
-record(table, {quota, capacity, in_memory = 0, clock = 0, created = 0, removed = 0, saved = 0,
                evicted = 0, ends = #{}, deferred = []}).

%% The sessions in the background, the least recently used one first.
-define(EVICTABLE, session_table_evictable).

open(Quota, Capacity) ->
    {ok, _} = gen_server:start({local, ?MODULE}, ?MODULE, {Quota, Capacity}, []),
    ok.

close() -> gen_server:stop(?MODULE).

%% From a process that starts. How: new, or stored if there is a state.
connect(Id, How) -> call({How, Id}).

foreground(Id) -> call({foreground, Id}).

%% The answer comes when the state is kept; afterwards the session may be ended to make room.
background(Id) -> call({background, Id}).

%% From a session that has put its state into the store.
saved(Id, Client) -> gen_server:cast(?MODULE, {saved, Id, Client}).

disconnect(Id) -> call({disconnect, Id}).

destroy(Id) -> call({destroy, Id}).

row(Id) ->
    [#row{number = Number, phase = Phase, version = Version}] = ets:lookup(?MODULE, Id),
    {Number, Phase, Version}.

%% How many sessions were made and removed, states saved without those of victims, and what is left.
counts() -> call(counts).

call(Request) -> gen_server:call(?MODULE, Request, infinity).

init({Quota, Capacity}) ->
    ?MODULE = ets:new(?MODULE, [named_table, {keypos, #row.id}, {read_concurrency, true}]),
    ?EVICTABLE = ets:new(?EVICTABLE, [named_table, ordered_set]),
    {ok, #table{quota = Quota, capacity = Capacity}}.

handle_call(counts, _, T = #table{created = Created, removed = Removed}) ->
    Left = ets:info(?MODULE, size) + ets:info(?EVICTABLE, size) + T#table.in_memory,
    {reply, {Created, Removed, T#table.saved - T#table.evicted, Left}, T};
handle_call(Request, From, T) -> {noreply, admit(Request, From, T)}.

admit(Request = {_, Id}, From, T) -> request(Request, From, ets:lookup(?MODULE, Id), T).

request(Request, From, [#row{phase = ending}], T) ->
    T#table{deferred = [{Request, From} | T#table.deferred]};
request(Request = {new, Id}, From, [], T = #table{quota = Quota, created = Created}) ->
    case ets:info(?MODULE, size) < Quota of
        true -> place(Request, From, #row{id = Id, number = Created + 1}, T);
        false -> reply(From, refused, T)
    end;
request(Request = {stored, _}, From, [Row = #row{phase = disconnected}], T)
  when Row#row.version > 0 -> place(Request, From, Row, T);
request(Request = {foreground, _}, From, [Row], T) -> forward(Request, From, Row, T);
request(Request = {background, _}, From, [Row], T) -> forward(Request, From, Row, T);
request({disconnect, _}, From, [#row{phase = disconnected}], T) -> reply(From, ok, T);
request({destroy, Id}, From, [#row{phase = disconnected}], T) -> remove(Id, From, T);
request({How, _}, From, [Row], T) when How =:= disconnect; How =:= destroy ->
    finish(Row, finish, {How, From}, T);
request(_, From, _, T) -> reply(From, refused, T).

reply(From, Answer, T) -> gen_server:reply(From, Answer), T.

%% A session in the background that is in use is not evictable before it is there again.
forward(_, From, #row{phase = disconnected}, T) -> reply(From, refused, T);
forward({What, _}, From, Row = #row{pid = Pid}, T) ->
    gen_server:cast(Pid, {What, From}),
    use(Row, foreground, T).

%% The least recently used session in the background makes room. One in the foreground never has to
%% go, so the capacity may be exceeded.
place(Request, From, Row, T = #table{in_memory = InMemory, capacity = Capacity}) ->
    case InMemory >= Capacity andalso ets:first(?EVICTABLE) of
        {_, Victim} ->
            [Least] = ets:lookup(?MODULE, Victim),
            Waiting = T#table{deferred = [{Request, From} | T#table.deferred]},
            finish(Least, evict, evict, Waiting#table{evicted = T#table.evicted + 1});
        _ ->
            enter(Request, From, Row, T#table{in_memory = InMemory + 1})
    end.

enter({How, _}, From = {Pid, _}, Row, T = #table{created = Created}) ->
    Entered = Row#row{pid = Pid, monitor = monitor(process, Pid)},
    New = case How of new -> 1; stored -> 0 end,
    reply(From, ok, use(Entered, connected, T#table{created = Created + New})).

finish(Row = #row{id = Id, pid = Pid, monitor = Monitor}, Message, Then, T) ->
    gen_server:cast(Pid, Message),
    use(Row, ending, T#table{ends = maps:put(Monitor, {Id, Then}, T#table.ends)}).

use(Row = #row{id = Id, used = Used, phase = Before}, Phase, T = #table{clock = Clock}) ->
    Before =:= background andalso ets:delete(?EVICTABLE, {Used, Id}),
    Phase =:= background andalso ets:insert(?EVICTABLE, {{Clock, Id}}),
    ets:insert(?MODULE, Row#row{used = Clock, phase = Phase}),
    T#table{clock = Clock + 1}.

remove(Id, From, T = #table{removed = Removed}) ->
    ets:delete(?MODULE, Id),
    scene_store:delete(Id),
    reply(From, ok, T#table{removed = Removed + 1}).

handle_cast({saved, Id, Client}, T = #table{saved = Saved}) ->
    [Row = #row{phase = Phase, version = Version}] = ets:lookup(?MODULE, Id),
    To = case Phase of ending -> ending; _ -> background end,
    Next = use(Row#row{version = Version + 1}, To, T#table{saved = Saved + 1}),
    Client =/= none andalso gen_server:reply(Client, ok),
    {noreply, Next}.

%% Requests that have waited are admitted before later ones.
handle_info({'DOWN', Monitor, process, _, normal}, T = #table{in_memory = InMemory}) ->
    {{Id, Then}, Ends} = maps:take(Monitor, T#table.ends),
    ets:update_element(?MODULE, Id, [{#row.phase, disconnected}, {#row.pid, undefined}]),
    Ended = ended(Then, Id, T#table{in_memory = InMemory - 1, ends = Ends, deferred = []}),
    Again = fun({Request, From}, Next) -> admit(Request, From, Next) end,
    {noreply, lists:foldr(Again, Ended, T#table.deferred)}.

ended(evict, _, T) -> T;
ended({disconnect, From}, _, T) -> reply(From, ok, T);
ended({destroy, From}, Id, T) -> remove(Id, From, T).
