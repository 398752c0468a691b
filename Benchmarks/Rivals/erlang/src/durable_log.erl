%% SPDX-License-Identifier: Apache-2.0
%% A disk_log to which groups of records are appended, each synchronized once.
-module(durable_log).
-export([path/1, open/1, write/2, close/1, count_puts/1, remove/1]).

path(Dir) -> filename:join(Dir, "rivals-" ++ os:getpid() ++ ".log").

open(File) ->
    remove(File),
    {ok, Log} = disk_log:open([{name, make_ref()}, {file, File}, {type, halt},
                               {format, internal}, {mode, read_write}]),
    Log.

write(Log, Records) ->
    ok = disk_log:log_terms(Log, Records),
    disk_log:sync(Log).

close(Log) -> disk_log:close(Log).

remove(File) ->
    _ = file:delete(File),
    ok.

%% Reads the file again and counts the states in it.
count_puts(File) ->
    {ok, Log} = disk_log:open([{name, make_ref()}, {file, File}, {mode, read_only}]),
    Count = count_puts(Log, disk_log:chunk(Log, start), 0),
    ok = disk_log:close(Log),
    Count.

count_puts(_Log, eof, Count) -> Count;
count_puts(Log, {Next, Records}, Count) ->
    Puts = length([Id || {put, Id, _} <- Records]),
    count_puts(Log, disk_log:chunk(Log, Next), Count + Puts).
