//! A front: a small server, a thread for each connection, that answers for a cluster whose every broker has the front's address.

use crate::protocol::{Answer, Kind, Request};
use crate::script::{Rule, Then};
use isotopic::wire::snapshot::Snapshot;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A running front. It ends with the test, which fails if anything was sent that could write.
pub(crate) struct Front {
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    address: SocketAddr,
    script: Vec<Rule>,
    ends: AtomicBool,
    world: Mutex<Snapshot>,
    requests: Mutex<BTreeMap<Kind, usize>>,
    forbidden: Mutex<Vec<String>>,
}

impl Front {
    /// A front that does everything right.
    pub(crate) fn of(world: Snapshot) -> Self {
        Self::with(world, Vec::new())
    }

    /// A front that follows a script.
    pub(crate) fn with(world: Snapshot, script: Vec<Rule>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let shared = Arc::new(Shared {
            address: listener.local_addr().unwrap(),
            script,
            ends: AtomicBool::new(false),
            world: Mutex::new(world),
            requests: Mutex::default(),
            forbidden: Mutex::default(),
        });
        let accepting = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Self { shared, accepting: Some(accepting) }
    }

    /// Where it listens: `host:port`.
    pub(crate) fn address(&self) -> String {
        self.shared.address.to_string()
    }

    /// How many requests of a kind came so far.
    pub(crate) fn requests(&self, kind: Kind) -> usize {
        self.shared.requests.lock().unwrap().get(&kind).copied().unwrap_or_default()
    }

    /// How many requests came so far.
    pub(crate) fn all_requests(&self) -> usize {
        self.shared.requests.lock().unwrap().values().sum()
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.shared.address));
        let ended = self.accepting.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap();
            assert_eq!(*self.shared.forbidden.lock().unwrap(), Vec::<String>::new(), "nothing that may write is ever sent");
        }
    }
}

/// Serves connections until the end, those included that wait then: what they sent counts. Each ends when the program closes it.
fn accept(listener: &TcpListener, shared: &Shared) {
    std::thread::scope(|scope| {
        while let Ok((stream, _)) = listener.accept() {
            scope.spawn(move || serve(stream, shared));
            if shared.ends.load(Ordering::SeqCst) {
                listener.set_nonblocking(true).unwrap();
            }
        }
    });
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    stream.set_nonblocking(false).unwrap();
    stream.set_nodelay(true).unwrap();
    while let Some(frame) = frame(&mut stream) {
        let request = match Request::read(&frame) {
            Ok(request) => request,
            Err(what) => return shared.forbidden.lock().unwrap().push(what),
        };
        let number = shared.count(request.kind());
        let rules = shared.script.iter().filter(|rule| rule.is_for(request.kind(), number)).map(|rule| &rule.then);
        let answer = shared.answer(&request, rules.clone());
        let mut bytes = request.encode(&answer);
        let mut wire = Some(framed(&bytes));
        let mut closes = false;
        for rule in rules {
            match rule {
                Then::World(_) | Then::Metadata(_) | Then::Configs(_) => {}
                Then::Wait(time) => std::thread::sleep(*time),
                Then::Silence => wire = None,
                Then::Close => (wire, closes) = (None, true),
                Then::CloseHalfway => {
                    let whole = framed(&bytes);
                    (wire, closes) = (Some(whole[..whole.len() / 2].to_vec()), true);
                }
                Then::Bytes(garbage) => wire = Some(garbage.clone()),
                Then::Resize(length) => {
                    bytes.resize(*length, 0);
                    wire = Some(framed(&bytes));
                }
            }
        }
        let sent = wire.is_none_or(|wire| stream.write_all(&wire).is_ok());
        if closes || !sent {
            return;
        }
    }
}

impl Shared {
    fn count(&self, kind: Kind) -> usize {
        let mut requests = self.requests.lock().unwrap();
        let count = requests.entry(kind).or_default();
        *count += 1;
        *count
    }

    fn answer<'a>(&self, request: &Request, rules: impl Iterator<Item = &'a Then> + Clone) -> Answer {
        let mut world = self.world.lock().unwrap();
        for rule in rules.clone() {
            if let Then::World(change) = rule {
                change(&mut world);
            }
        }
        let mut answer = request.answer(&world, self.address);
        for rule in rules {
            match (rule, &mut answer) {
                (Then::Metadata(change), Answer::Metadata(response)) => change(response),
                (Then::Configs(change), Answer::Configs(response)) => change(response),
                (Then::Metadata(_) | Then::Configs(_), _) => panic!("a rule for another kind of request"),
                _ => {}
            }
        }
        answer
    }
}

/// The next request; `None` where the other side closed.
fn frame(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut frame = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut frame).ok()?;
    Some(frame)
}

fn framed(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap();
    [&length.to_be_bytes()[..], bytes].concat()
}
