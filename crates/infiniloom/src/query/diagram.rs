//! Diagrams in Mermaid: types and their relations, or the directories that import each other.

use std::ops::ControlFlow;

use loom_host::{
    ClassDiagram, ImportFollower, ModuleDiagram, Resolution, Run, StructureOptions, StructureRun,
};
use loom_wire::{DiagramInfo, FORMAT_VERSION};

use super::symbols::{Symbols, with_limits};
use crate::choices::Diagram;
use crate::session::Session;
use crate::{Control, Result, Snapshot};

impl Symbols {
    /// Draws a diagram in Mermaid of the files that the query lists.
    ///
    /// # Errors
    /// As for [`Symbols::run_with`].
    pub fn draw(
        &self,
        diagram: Diagram,
        snapshot: &Snapshot,
        control: &Control,
    ) -> Result<DiagramInfo> {
        control.run(|| {
            let (_, options) = self.checked()?;
            let session = snapshot.session(&self.choices, control)?;
            let options = with_limits(&session, options);
            let run = session.run();
            let text = match diagram {
                Diagram::Classes => classes(&session, &options, &run)?,
                Diagram::Modules => modules(&session, &options, &run)?,
            };
            Ok(DiagramInfo {
                format_version: FORMAT_VERSION,
                text,
                notices: session.notices(&run.unread(), run.warnings()),
            })
        })
    }
}

fn classes(session: &Session, options: &StructureOptions, run: &Run) -> Result<String> {
    let mut diagram = ClassDiagram::default();
    StructureRun::new(&session.packer, options, run, &session.cancel).each(|file| {
        diagram.add(&file.structure);
        ControlFlow::Continue(())
    })?;
    Ok(diagram.finish())
}

fn modules(session: &Session, options: &StructureOptions, run: &Run) -> Result<String> {
    let mut diagram = ModuleDiagram::default();
    for file in ImportFollower::new(&session.packer, options, run, &session.cancel).imports()? {
        for (_, meaning) in &file.imports {
            // A package is one entry, however many files it has.
            if let Resolution::Files(targets) = meaning
                && let Some(target) = targets.first()
            {
                diagram.add(&file.path, target);
            }
        }
    }
    Ok(diagram.finish())
}
