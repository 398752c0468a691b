// SPDX-License-Identifier: Apache-2.0

//! Sessions that outlive their tasks. Every request passes the table and is awaited.

use crate::draft::Draft;
use crate::id::Id;
use crate::session::Message;
use crate::table::{Table, Victim};
use crate::world::World;
use std::sync::{Mutex, MutexGuard};
use tokio::sync::{mpsc, oneshot};

pub struct Application {
    /// Its store has the bytes of the states.
    pub world: &'static World,
    table: Mutex<Table>,
}

impl Application {
    pub fn leaked(table: Table) -> &'static Application {
        Box::leak(Box::new(Application { world: World::leaked(), table: Mutex::new(table) }))
    }

    pub fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("a table")
    }

    pub async fn open(&'static self, id: Id, draft: Draft) -> bool {
        self.reserve().await;
        self.table().add(id, || self.world.start(id, Some(draft)))
    }

    pub async fn foreground(&self, id: &Id) -> bool {
        let mailbox = self.table().request(id);
        ask(mailbox, Message::Foreground).await
    }

    /// The state is saved; afterwards the session may be ended to make room.
    pub async fn background(&self, id: &Id) -> bool {
        let mailbox = self.table().request(id);
        let saved = ask(mailbox, Message::Background).await;
        self.table().hide(id);
        saved
    }

    /// Starts a session from its stored bytes. Gives the restored count of edits.
    pub async fn reconnect(&'static self, id: Id) -> Option<u64> {
        self.ended(&id).await;
        self.reserve().await;
        let mut answer = None;
        self.table().restore(&id, || {
            let (session, restored) = self.world.start_stored(id);
            answer = Some(restored);
            session
        });
        answer?.await.ok()
    }

    /// Ends a session, or waits for one that makes room already.
    pub async fn disconnect(&self, id: &Id) -> bool {
        let session = self.table().leave(id);
        match session {
            Some(session) => {
                let is_right = session.end().await;
                self.table().in_memory -= 1;
                is_right
            }
            None => self.ended(id).await,
        }
    }

    pub async fn destroy(&self, id: &Id) -> bool {
        let has_ended = self.disconnect(id).await;
        has_ended && self.table().remove(id) && self.world.store.remove(id).is_some()
    }

    async fn reserve(&self) {
        let victim = self.table().reserve();
        if let Some(victim) = victim {
            self.evict(victim).await;
        }
    }

    /// Lets a session save its state and ends it.
    async fn evict(&self, victim: Victim) {
        let saved = ask(Some(victim.session.mailbox.clone()), Message::Background).await;
        assert!(saved, "a session did not save before it had to go");
        assert!(victim.session.end().await, "a session that had to go did not end");
        let mut table = self.table();
        table.saved += 1;
        if let Some(row) = table.rows.get_mut(&victim.id) {
            row.version += 1;
            row.leaving = None;
        }
        drop(victim.ended);
    }

    /// Waits for a session that makes room.
    async fn ended(&self, id: &Id) -> bool {
        let leaving = self.table().rows.get(id).and_then(|row| row.leaving.clone());
        match leaving {
            Some(mut leaving) => leaving.changed().await.is_err(),
            None => self.table().rows.contains_key(id),
        }
    }
}

async fn ask(
    mailbox: Option<mpsc::Sender<Message>>,
    message: impl FnOnce(oneshot::Sender<()>) -> Message,
) -> bool {
    let (reply, answer) = oneshot::channel();
    match mailbox {
        Some(mailbox) => mailbox.send(message(reply)).await.is_ok() && answer.await.is_ok(),
        None => false,
    }
}
