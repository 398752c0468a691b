// SPDX-License-Identifier: Apache-2.0

package main

import "sync"

// shardCount is far more than the cores that run at once, so that a writer seldom meets a reader.
const shardCount = 256

// sharded is a concurrent map from identifiers: one lock and one map for each shard.
type sharded[V any] struct {
	shards [shardCount]shard[V]
}

// shard is padded so that the locks of two shards never share a cache line.
type shard[V any] struct {
	sync.RWMutex
	entries map[ID]V
	_       [128 - 32]byte
}

func newSharded[V any]() *sharded[V] {
	s := new(sharded[V])
	for i := range s.shards {
		s.shards[i].entries = make(map[ID]V)
	}
	return s
}

func (s *sharded[V]) get(id *ID) (V, bool) {
	shard := &s.shards[id.shard()]
	shard.RLock()
	value, found := shard.entries[*id]
	shard.RUnlock()
	return value, found
}

func (s *sharded[V]) put(id *ID, value V) {
	shard := &s.shards[id.shard()]
	shard.Lock()
	shard.entries[*id] = value
	shard.Unlock()
}

func (s *sharded[V]) remove(id *ID) (V, bool) {
	shard := &s.shards[id.shard()]
	shard.Lock()
	value, found := shard.entries[*id]
	delete(shard.entries, *id)
	shard.Unlock()
	return value, found
}
