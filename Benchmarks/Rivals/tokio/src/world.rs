// SPDX-License-Identifier: Apache-2.0

//! The registry of the sessions that live and the store of the states that were saved.

use crate::draft::Draft;
use crate::id::{Id, IdMap};
use crate::session::{run, Message, State, CAPACITY};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// What the registry holds: the only lasting way in, and the task, to wait for its end.
pub struct Session {
    pub mailbox: mpsc::Sender<Message>,
    task: JoinHandle<()>,
}

impl Session {
    /// Closes the mailbox and waits for the task's end.
    pub async fn end(self) -> bool {
        drop(self.mailbox);
        self.task.await.is_ok()
    }
}

/// A world is leaked once for each measurement, so tasks borrow it and count no references.
#[derive(Default)]
pub struct World {
    pub registry: IdMap<Session>,
    pub store: IdMap<Vec<u8>>,
}

impl World {
    pub fn leaked() -> &'static World {
        Box::leak(Box::default())
    }

    /// Enters a session with the small state, or with the draft too.
    pub fn create(&'static self, id: Id, draft: Option<Draft>) {
        self.registry.insert(id, self.start(id, draft));
    }

    pub fn start(&'static self, id: Id, draft: Option<Draft>) -> Session {
        let (mailbox, receiver) = mpsc::channel(CAPACITY);
        let state = draft.map_or_else(State::default, |draft| State::with_draft(id, draft));
        let task = tokio::spawn(run(self, receiver, state));
        Session { mailbox, task }
    }

    /// Enters a session that is restored. Gives the restored count of edits.
    pub async fn reconnect(&'static self, id: Id) -> Option<u64> {
        let (session, answer) = self.start_stored(id);
        self.registry.insert(id, session);
        answer.await.ok()
    }

    /// Starts a session from its stored bytes, which its own task decodes and checks. The answer is
    /// the restored count of edits.
    pub fn start_stored(&'static self, id: Id) -> (Session, oneshot::Receiver<u64>) {
        let (mailbox, receiver) = mpsc::channel(CAPACITY);
        let (connected, answer) = oneshot::channel();
        let task = tokio::spawn(self.restore(id, receiver, connected));
        (Session { mailbox, task }, answer)
    }

    /// A session that cannot be restored ends, and dropping `connected` tells so.
    async fn restore(
        &'static self,
        id: Id,
        receiver: mpsc::Receiver<Message>,
        connected: oneshot::Sender<u64>,
    ) {
        let decoded = self.store.get(&id).and_then(|bytes| bincode::deserialize(&bytes).ok());
        if let Some(draft) = decoded.filter(Draft::is_expected) {
            let _ = connected.send(draft.edits as u64);
            run(self, receiver, State::with_draft(id, draft)).await;
        }
    }

    /// Sends under the registry's read lock while there is room, which counts no references. Only
    /// a sender that must wait takes a copy of the way in.
    #[inline]
    pub async fn send(&self, id: &Id, message: Message) -> bool {
        match self.try_send(id, message) {
            Ok(()) => true,
            Err(Some((mailbox, message))) => mailbox.send(message).await.is_ok(),
            Err(None) => false,
        }
    }

    #[inline]
    fn try_send(
        &self,
        id: &Id,
        message: Message,
    ) -> Result<(), Option<(mpsc::Sender<Message>, Message)>> {
        let session = self.registry.get(id).ok_or(None)?;
        session.mailbox.try_send(message).map_err(|error| match error {
            mpsc::error::TrySendError::Full(message) => Some((session.mailbox.clone(), message)),
            mpsc::error::TrySendError::Closed(_) => None,
        })
    }

    /// Sends a message that carries the way back, and awaits the answer.
    #[inline]
    pub async fn ask<A>(
        &self,
        id: &Id,
        message: impl FnOnce(oneshot::Sender<A>) -> Message,
    ) -> Option<A> {
        let (reply, answer) = oneshot::channel();
        if !self.send(id, message(reply)).await {
            return None;
        }
        answer.await.ok()
    }

    /// Takes a session out of the registry and ends it.
    pub async fn disconnect(&self, id: &Id) -> bool {
        match self.registry.remove(id) {
            Some((_, session)) => session.end().await,
            None => false,
        }
    }
}
