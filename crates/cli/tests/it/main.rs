//! The command through its real binary, in a sandbox with a separate home, and the library compared
//! with it. The tests of single crates are in those crates.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod budget;
mod calibrate;
mod changes;
mod chunk;
mod clipboard;
mod compress;
mod config;
mod context;
mod context_given;
mod context_matches;
mod context_service;
mod context_told;
#[cfg(target_os = "linux")]
mod editing;
mod formats;
mod hook;
mod instructions;
mod interrupt;
mod library;
mod limits_met;
mod lists;
mod map;
mod mcp;
mod mcp_calls;
mod mcp_client;
mod mcp_http;
mod mcp_install;
mod mcp_limits;
mod mcp_protocol;
mod navigate;
mod odd;
mod output;
mod packed;
mod page;
mod peers;
mod places;
mod readers;
mod remembered;
mod remotes;
mod report;
mod repositories;
mod revisions;
mod rg_habits;
mod rules;
mod same;
mod scans;
mod schemas;
mod search;
mod search_asked;
mod secret_paths;
mod secrets;
mod sections;
mod split;
mod symbols;
mod templates;
mod tokens;
mod totals;
mod trust;
mod unread;
mod vocabulary;
mod watched;
mod why;
mod work_trees;
