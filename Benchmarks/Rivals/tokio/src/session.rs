// SPDX-License-Identifier: Apache-2.0

//! A session: its messages, its state, and the task that handles the one with the other.

use crate::draft::Draft;
use crate::id::Id;
use crate::world::World;
use tokio::sync::{mpsc, oneshot};

/// Tokio keeps messages in blocks of 32, so a smaller bound would save no memory.
pub const CAPACITY: usize = 32;

pub enum Message {
    Deliver { sender: u8, number: u64, payload: u64 },
    Call { number: u64, reply: oneshot::Sender<u64> },
    Audit(oneshot::Sender<Audit>),
    Foreground(oneshot::Sender<()>),
    Background(oneshot::Sender<()>),
}

/// What a session has seen, for the check after a measurement.
pub struct Audit {
    pub count: u64,
    pub sum: u64,
    pub in_order: bool,
}

/// The state belongs to the task alone.
#[derive(Default)]
pub struct State {
    count: u64,
    sum: u64,
    last: Vec<u64>,
    disordered: bool,
    visible: bool,
    saved: Option<Box<(Id, Draft)>>,
}

impl State {
    pub fn with_draft(id: Id, draft: Draft) -> State {
        State { saved: Some(Box::new((id, draft))), ..State::default() }
    }

    /// Adds a delivered message and checks that the numbers of its sender rise.
    #[inline]
    fn take(&mut self, sender: u8, number: u64, payload: u64) {
        let sender = usize::from(sender);
        if sender >= self.last.len() {
            self.last.reserve_exact(sender + 1 - self.last.len());
            self.last.resize(sender + 1, 0);
        }
        self.disordered |= number <= self.last[sender];
        self.last[sender] = number;
        self.sum = self.sum.wrapping_add(payload);
        self.count += 1;
    }

    /// Answers go nowhere when the asker has gone, which is no fault of the session.
    fn handle(&mut self, world: &World, message: Message) {
        match message {
            Message::Deliver { sender, number, payload } => self.take(sender, number, payload),
            Message::Call { number, reply } => {
                self.count += 1;
                let _ = reply.send(number + self.count);
            }
            Message::Audit(reply) => {
                let _ = reply.send(self.audit());
            }
            Message::Foreground(done) => {
                self.visible = true;
                let _ = done.send(());
            }
            Message::Background(done) => {
                self.visible = false;
                self.save(world);
                let _ = done.send(());
            }
        }
    }

    fn audit(&self) -> Audit {
        Audit { count: self.count, sum: self.sum, in_order: !self.disordered }
    }

    fn save(&self, world: &World) {
        if let Some(saved) = &self.saved {
            world.store.insert(saved.0, bincode::serialize(&saved.1).expect("bytes"));
        }
    }
}

/// Handles messages in order until the last sender is gone, which is when the registry lets go.
pub async fn run(world: &'static World, mut mailbox: mpsc::Receiver<Message>, mut state: State) {
    while let Some(message) = mailbox.recv().await {
        state.handle(world, message);
    }
}
