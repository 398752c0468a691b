%% SPDX-License-Identifier: Apache-2.0
%% One session: a gen_server that is found through the registry by its identifier.
-module(scene_session).
-behaviour(gen_server).
-export([start/2, deliver/4, number/2, foreground/1, background/1, finish/2, report/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(session, {id, count = 0, sum = 0, errors = 0, last = {0, 0, 0, 0, 0, 0, 0, 0},
                  handled, scene}).

%% There is no supervisor: it would be one process that every start and every end has to pass.
%% How: new | {counted, Counters} | {scene, Edits} | {stored, Edits}.
start(Id, How) ->
    {ok, Pid} = gen_server:start(?MODULE, {Id, How}, []),
    Pid.

deliver(Pid, Sender, Number, Payload) -> gen_server:cast(Pid, {Sender, Number, Payload}).

%% No timeout, so no timer is started and cancelled for each call.
number(Pid, Number) -> gen_server:call(Pid, {number, Number}, infinity).

foreground(Pid) -> gen_server:call(Pid, foreground, infinity).

%% Where: memory or {log, Writer}.
background({Pid, Where}) -> gen_server:call(Pid, {background, Where}, infinity).

report(Pid) -> gen_server:call(Pid, report, infinity).

%% How: disconnect keeps the saved state, destroy removes it. Returns when the process has ended.
finish(Pid, How) ->
    Ref = monitor(process, Pid),
    gen_server:cast(Pid, How),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end.

init({Id, How}) ->
    scene_registry:insert(Id, self()),
    connect(How, #session{id = Id}).

connect(new, S) -> {ok, S};
connect({counted, Counters}, S) -> {ok, S#session{handled = Counters}};
connect({scene, Edits}, S) -> {ok, S#session{scene = scene_state:new(Edits)}};
%% A log is only read after a restart.
connect({stored, Edits}, S = #session{id = Id}) ->
    Scene = scene_state:decode(scene_store:get(Id)),
    {ok, S#session{scene = scene_state:check(Scene, Edits)}}.

handle_cast({Sender, Number, Payload}, S) ->
    #session{count = Count, sum = Sum, last = Last, handled = Handled} = S,
    Errors = order(Number > element(Sender, Last), S),
    Handled =/= undefined andalso counters:add(Handled, Sender, 1),
    {noreply, S#session{count = Count + 1, sum = Sum + Payload, errors = Errors,
                        last = setelement(Sender, Last, Number)}};
handle_cast(disconnect, S = #session{id = Id}) ->
    scene_registry:delete(Id),
    {stop, normal, S};
handle_cast(destroy, S = #session{id = Id}) ->
    scene_registry:delete(Id),
    scene_store:delete(Id),
    {stop, normal, S}.

order(true, #session{errors = Errors}) -> Errors;
order(false, #session{errors = Errors}) -> Errors + 1.

handle_call({number, Number}, _From, S = #session{count = Count}) ->
    {reply, Number + Count, S#session{count = Count + 1}};
handle_call(foreground, _From, S) ->
    {reply, ok, S};
handle_call({background, memory}, _From, S = #session{id = Id, scene = Scene}) ->
    scene_store:put(Id, scene_state:encode(Scene)),
    {reply, ok, S};
handle_call({background, {log, Writer}}, From, S = #session{id = Id, scene = Scene}) ->
    Bytes = scene_state:encode(Scene),
    scene_store:put(Id, Bytes),
    group_writer:append(Writer, From, {put, Id, Bytes}),
    {noreply, S};
handle_call(report, _From, S = #session{count = Count, sum = Sum, errors = Errors}) ->
    {reply, {Count, Sum, Errors}, S}.
