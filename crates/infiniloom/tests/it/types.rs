//! Every public type can be sent to another thread and kept there.

use infiniloom as facade;

fn check<T: Send + Sync + std::fmt::Debug + 'static>() {}

#[test]
fn hosts_and_values_are_send_sync_and_static() {
    check::<facade::Infiniloom>();
    check::<facade::InfiniloomBuilder>();
    check::<facade::Cache>();
    check::<facade::Root>();
    check::<facade::Repository>();
    check::<facade::Snapshot>();
    check::<facade::SnapshotId>();
    check::<facade::Layer>();
    check::<facade::IndexState>();
    check::<facade::LargeFiles>();
    check::<facade::Redactor>();
    check::<facade::Change>();
    check::<facade::ChangeEvent>();
    check::<facade::Watch>();
    check::<facade::Control>();
    check::<facade::Cancel>();
    check::<facade::CancelGuard>();
    check::<facade::Progress>();
    check::<facade::ProgressEvent>();
    check::<facade::ProgressEvents>();
    check::<facade::Stage>();
    check::<facade::Error>();
    check::<facade::ErrorKind>();
    check::<facade::ErrorProblem>();
    check::<facade::Options>();
    check::<facade::Settings>();
    check::<facade::SettingsFile>();
    check::<facade::Existing>();
    check::<facade::Model>();
    check::<facade::TokenCount>();
    check::<facade::Budget>();
    check::<facade::Buffer>();
    check::<facade::Text>();
    check::<facade::Sanitizer>();
    check::<facade::PackPlan>();
    check::<facade::WrittenPack>();
    check::<facade::PackOutputs>();
    check::<facade::OutputFile>();
    check::<facade::FileMatches>();
    check::<facade::FoundLine>();
    check::<facade::ErrorPlace>();
    check::<facade::FetchEvent>();
    check::<facade::ListSeparator>();
    check::<facade::Diagram>();
    check::<facade::IndexUse>();
    check::<facade::PackEvent>();
    check::<facade::PackPart>();
    check::<facade::Stream<facade::PackEvent>>();
    check::<facade::Stream<facade::wire::ChunkInfo>>();
}

#[test]
fn queries_and_choices_are_send_sync_and_static() {
    check::<facade::Calibrate>();
    check::<facade::Pack>();
    check::<facade::Context>();
    check::<facade::Map>();
    check::<facade::Search>();
    check::<facade::RankedSearch>();
    check::<facade::Navigate>();
    check::<facade::Symbols>();
    check::<facade::Read>();
    check::<facade::Chunk>();
    check::<facade::Compress>();
    check::<facade::Tokens>();
    check::<facade::Scan>();
    check::<facade::Index>();
    check::<facade::Why>();
    check::<facade::Format>();
    check::<facade::Level>();
    check::<facade::Preserve>();
    check::<facade::Fit>();
    check::<facade::Ranking>();
    check::<facade::Granularity>();
    check::<facade::Case>();
    check::<facade::Sort>();
    check::<facade::Boundary>();
    check::<facade::Signal>();
    check::<facade::Algorithm>();
    check::<facade::Secrets>();
    check::<facade::Confidence>();
}

#[test]
fn results_are_send_sync_and_static() {
    use facade::wire;
    check::<wire::PackInfo>();
    check::<wire::PackPlanInfo>();
    check::<wire::TreeInfo>();
    check::<wire::DiagramInfo>();
    check::<wire::Report>();
    check::<wire::ContextInfo>();
    check::<wire::MapTextInfo>();
    check::<wire::SearchInfo>();
    check::<wire::RankedInfo>();
    check::<wire::NavigationInfo>();
    check::<wire::SymbolsInfo>();
    check::<wire::ReadInfo>();
    check::<wire::ChunksInfo>();
    check::<wire::CompressInfo>();
    check::<wire::TokensInfo>();
    check::<wire::ScanInfo>();
    check::<wire::IndexInfo>();
    check::<wire::StoreInfo>();
    check::<wire::CacheVerifiedInfo>();
    check::<wire::CacheRemovedInfo>();
    check::<wire::CalibrationInfo>();
    check::<wire::CalibrationRemovedInfo>();
    check::<wire::SendingInfo>();
    check::<wire::WhyInfo>();
    check::<wire::ModelInfo>();
    check::<wire::SettingInfo>();
    check::<wire::SettingsFileInfo>();
    check::<wire::NoticeInfo>();
    check::<wire::ErrorInfo>();
}
