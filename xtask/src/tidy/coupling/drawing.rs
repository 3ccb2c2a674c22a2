//! Draws the module graph of a crate as Markdown: one Mermaid diagram for each
//! directory, and below it the modules that import each other.

use std::fmt::{self, Display, Formatter};

use super::graph::Graph;

/// One directory with its graph.
pub(crate) struct Drawing<'d> {
    pub(crate) directory: &'d str,
    pub(crate) graph: &'d Graph,
}

impl Display for Drawing<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let knots = self.graph.knots();
        let nodes = self.graph.nodes();
        writeln!(
            formatter,
            "### {}\n\n```mermaid\nflowchart TD",
            self.directory
        )?;
        // Names such as `end` and `graph` are keywords of Mermaid.
        for node in &nodes {
            writeln!(formatter, "    {node}_[\"{node}\"]")?;
        }
        for edge in self.graph.edges.keys() {
            let (from, to) = (edge.from.as_str(), edge.to.as_str());
            let is_in_cycle = knots
                .iter()
                .any(|knot| knot.contains(from) && knot.contains(to));
            let arrow = if is_in_cycle { "==>" } else { "-->" };
            writeln!(formatter, "    {from}_ {arrow} {to}_")?;
        }
        writeln!(formatter, "```\n")?;
        for knot in &knots {
            let names: Vec<&str> = knot.iter().copied().collect();
            let shortest = self.graph.cycle(knot).join(" -> ");
            writeln!(
                formatter,
                "- {} modules import each other, for example {shortest}: {}",
                names.len(),
                names.join(", ")
            )?;
        }
        let (modules, imports) = (nodes.len(), self.graph.edges.len());
        writeln!(
            formatter,
            "- {modules} modules, {imports} imports, {} cycles",
            knots.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_cycles_are_thick_and_named() {
        let graph = Graph::of(&["end -> b", "b -> end", "b -> c"]);
        let text = Drawing {
            directory: "src",
            graph: &graph,
        }
        .to_string();
        let expected = "### src\n\n```mermaid\nflowchart TD\n    b_[\"b\"]\n    c_[\"c\"]\n    \
                        end_[\"end\"]\n    b_ --> c_\n    b_ ==> end_\n    end_ ==> b_\n```\n\n\
                        - 2 modules import each other, for example b -> end -> b: b, end\n\
                        - 3 modules, 3 imports, 1 cycles\n";
        assert_eq!(text, expected);
    }
}
