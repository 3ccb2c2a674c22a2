//! Declarations in headers, and the definitions that belong to them.

use super::DefinitionId;
use super::meaning::NameResolution;
use super::scope::{MOST_GLOBAL, Scope};

/// Share of a declaration; the definition with a body gets the rest.
const DECLARED: f32 = 0.3;

impl Scope<'_> {
    /// Gives the larger share to definitions with a body, if the name resolved to a declaration in
    /// a header.
    pub(super) fn with_bodies(&self, meaning: NameResolution) -> NameResolution {
        let program = self.program;
        let mut targets: Vec<(DefinitionId, f32)> = Vec::new();
        for (target, share) in meaning.targets {
            let declared = program.definition(target);
            let is_same = |id: &DefinitionId| {
                let one = program.definition(*id);
                one.has_body
                    && one.kind.is_function()
                    && one.owner == declared.owner
                    && self.may_mean(one)
            };
            let is_declaration = !declared.has_body && declared.kind.is_function();
            let all = program.few(declared.name).iter().copied();
            let bodies: Vec<DefinitionId> = match is_declaration {
                true => all.filter(is_same).collect(),
                false => Vec::new(),
            };
            if bodies.is_empty() || bodies.len() > MOST_GLOBAL {
                targets.push((target, share));
                continue;
            }
            targets.push((target, share * DECLARED));
            let spread = NameResolution::spread(meaning.by, share * (1.0 - DECLARED), bodies);
            targets.extend(spread.targets);
        }
        targets.sort_by_key(|(id, _)| *id);
        targets.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 += next.1;
            }
            is_same
        });
        NameResolution {
            by: meaning.by,
            targets,
        }
    }
}
