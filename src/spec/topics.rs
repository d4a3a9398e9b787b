//! Gathers the topics of all files, and lays overlays over them.

use super::At;
use super::layer::{Layer, Reader};
use super::merge::{Merge, Merged, strongest};
use super::settings::Settings;
use super::shapes::{Topic, TopicsFile};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{self, ClusterName};
use crate::yaml::{Entry, Given, likely};
use std::collections::HashMap;

/// A topic as declared in one place, with what overlays say of it.
pub(super) struct Declaration {
    pub(super) name: String,
    /// Whether Kafka takes the name.
    pub(super) is_legal: bool,
    pub(super) place: Place,
    /// Which defaults hold for it.
    pub(super) defaults: usize,
    /// The topic's own layer and those of the overlays, the strongest last.
    pub(super) own: Vec<Layer>,
}

/// The topics of all documents, before their layers are merged.
pub(super) struct Topics<'a> {
    reader: &'a Reader<'a>,
    settings: &'a Settings,
    /// Of each document.
    defaults: Vec<Layer>,
    declarations: Vec<Declaration>,
    by_name: HashMap<String, Vec<usize>>,
    /// Whether every topic's name is known. Otherwise none is reported as unknown.
    all_known: bool,
}

impl<'a> Topics<'a> {
    pub(super) fn new(reader: &'a Reader<'a>, settings: &'a Settings) -> Self {
        Self { reader, settings, defaults: Vec::new(), declarations: Vec::new(), by_name: HashMap::new(), all_known: true }
    }

    /// Takes in the topics of one file: its documents, `None` for those that are no topics.
    pub(super) fn file(&mut self, documents: Vec<Option<Given<TopicsFile>>>, is_broken: bool) {
        self.all_known &= !is_broken;
        for document in documents {
            let Some(file) = document else {
                self.all_known = false;
                continue;
            };
            self.all_known &= file.value.topics.given().is_some() || file.value.topics.is_missing();
            self.defaults.push(self.reader.defaults(&file.value.defaults, self.settings));
            for entry in file.value.topics.value().map_or(&[][..], |entries| &entries.0) {
                self.topic(entry);
            }
        }
    }

    fn topic(&mut self, entry: &Entry<Topic>) {
        let legal = name::check(&entry.key).map_err(|why| {
            let message = format!("{:?} is not a legal topic name: {why}", entry.key);
            self.reader
                .problems
                .add(Finding::new(Code::Nm001, message).at(entry.place).help("choose a name of a-z, A-Z, 0-9, '.', '_' and '-', up to 249 characters long"));
        });
        let own = self.layer(entry);
        self.by_name.entry(entry.key.clone()).or_default().push(self.declarations.len());
        let (name, defaults) = (entry.key.clone(), self.defaults.len() - 1);
        self.declarations.push(Declaration { name, is_legal: legal.is_ok(), place: entry.place, defaults, own: vec![own] });
    }

    fn layer(&self, entry: &Entry<Topic>) -> Layer {
        entry.value.as_ref().map_or_else(Layer::broken, |given| self.reader.topic(&given.value, self.settings))
    }

    /// Lays one document of an overlay over the topics so far.
    pub(super) fn overlay(&mut self, topics: &[Entry<Topic>]) {
        for entry in topics {
            let layer = self.layer(entry);
            match self.by_name.get(&entry.key).map(Vec::as_slice) {
                None => self.unknown(entry),
                Some([one]) => self.declarations[*one].own.push(layer),
                Some(several) => {
                    let meant = self.meant(entry, several, &layer);
                    // What `cluster` says here is which topic is meant, and not where it shall be.
                    let layer = Layer { clusters: None, ..layer };
                    meant.into_iter().for_each(|one| self.declarations[one].own.push(layer.clone()));
                }
            }
        }
    }

    fn unknown(&self, entry: &Entry<Topic>) {
        if self.all_known {
            let message = format!("the overlay changes topic {:?}, which no topic file declares", entry.key);
            let help = likely(&entry.key, self.by_name.keys().map(String::as_str))
                .map_or_else(|| "declare it in a topic file, or take it out of the overlay".to_owned(), |likely| format!("write `{likely}`"));
            self.reader.problems.add(Finding::new(Code::Ym007, message).at(entry.place).help(help));
        }
    }

    /// Which of several topics of one name on different clusters an overlay is about.
    fn meant(&self, entry: &Entry<Topic>, several: &[usize], layer: &Layer) -> Vec<usize> {
        let clusters = match &layer.clusters {
            None => {
                let message = format!("{} topics are named {:?}, and the overlay does not say which of them it changes", several.len(), entry.key);
                self.reader.problems.add(Finding::new(Code::Ym012, message).at(entry.place).help("write `cluster`"));
                return Vec::new();
            }
            Some(Err(_)) => return Vec::new(),
            Some(Ok(clusters)) => clusters,
        };
        let is_on = |cluster: &ClusterName, one: &usize| {
            let declaration = &self.declarations[*one];
            let layers = Merge::layers(self.settings, &self.defaults[declaration.defaults], &declaration.own).all;
            match strongest(layers.iter().copied(), |layer| &layer.clusters) {
                Some(Ok(known)) => known.iter().any(|at| at.value == *cluster),
                Some(Err(())) => true,
                None => self.settings.default_cluster.as_ref() == Some(cluster),
            }
        };
        for At { value, place } in clusters {
            if !several.iter().any(|one| is_on(value, one)) {
                let message = format!("the overlay changes topic {:?} of cluster {value}, which no topic file declares", entry.key);
                self.reader.problems.add(Finding::new(Code::Ym007, message).at(*place).help("declare it in a topic file, or name another cluster"));
            }
        }
        several.iter().copied().filter(|one| clusters.iter().any(|at| is_on(&at.value, one))).collect()
    }

    /// The topics that are right, each as the sum of its layers.
    pub(super) fn merge(self) -> Merged {
        let mut merge = Merge::new(self.reader.problems, self.settings);
        for declaration in &self.declarations {
            merge.declaration(declaration, &self.defaults[declaration.defaults]);
        }
        merge.into_merged()
    }
}
