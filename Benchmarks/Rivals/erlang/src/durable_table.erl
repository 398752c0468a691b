%% SPDX-License-Identifier: Apache-2.0
%% A mnesia table of states, in memory and on the disk, whose log is synchronized once for a group.
-module(durable_table).
-export([path/1, open/1, write/2, get/1, close/1, contents/1, remove/1]).

-define(TABLE, scene_states).

path(Dir) -> filename:join(Dir, "rivals-" ++ os:getpid() ++ ".mnesia").

open(Folder) ->
    remove(Folder),
    load(Folder),
    ok = mnesia:create_schema([node()]),
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(?TABLE, [{disc_copies, [node()]},
                                                {attributes, [id, bytes]}]),
    ok.

%% The log is folded into the table's own file after 100 groups and more: with the default of 1000
%% writes that would happen many times a second.
load(Folder) ->
    _ = application:load(mnesia),
    ok = application:set_env(mnesia, dir, Folder),
    ok = application:set_env(mnesia, dump_log_write_threshold, 50000).

%% No other process writes, so that a transaction's locks would protect from nothing.
write(ok, Records) ->
    ok = mnesia:activity(async_dirty, fun() -> lists:foreach(fun apply_one/1, Records) end),
    mnesia:sync_log().

apply_one({put, Id, Bytes}) -> ok = mnesia:write({?TABLE, Id, Bytes});
apply_one({delete, Id}) -> ok = mnesia:delete({?TABLE, Id}).

%% The copy in memory is an ETS table of the same name.
get(Id) -> ets:lookup_element(?TABLE, Id, 3).

close(ok) ->
    stopped = mnesia:stop(),
    ok.

%% Starts again from what is on the disk, and gives all of it.
contents(Folder) ->
    load(Folder),
    ok = mnesia:start(),
    ok = mnesia:wait_for_tables([?TABLE], infinity),
    States = [{Id, Bytes} || {?TABLE, Id, Bytes} <- ets:tab2list(?TABLE)],
    ok = close(ok),
    States.

remove(Folder) ->
    _ = file:del_dir_r(Folder),
    ok.
