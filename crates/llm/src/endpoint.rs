//! Token counting endpoints of providers, for models with a private tokenizer. Keys and URLs come
//! only from the environment, never from a repository, and no message contains a key.

use std::env;

use loom_models::{FileKind, Model, file_kind};
use serde_json::Value;

use crate::base::Base;
use crate::client::{Answer, Client};
use crate::error::ProviderError;
use crate::key::Key;
use crate::vendor::Vendor;
use crate::{anthropic, google};

const VENDORS: &[Vendor] = &[anthropic::VENDOR, google::VENDOR];

/// The counting endpoint of one model, with the user's key.
#[derive(Debug)]
pub struct Endpoint {
    vendor: &'static Vendor,
    key: Key,
    base: Base,
    /// Name of the model at the provider.
    model: String,
}

impl Endpoint {
    /// Returns the endpoint of `model`, which the user called `typed`, with key and URL from the
    /// environment.
    ///
    /// # Errors
    /// If the vendor has no such endpoint, or the environment has no key for it.
    pub fn from_environment(model: &Model, typed: &str) -> Result<Self, ProviderError> {
        let vendor = vendor_of(model)?;
        if cfg!(not(feature = "http")) {
            return Err(ProviderError::NoHttp);
        }
        let base = set(vendor.base_variable).unwrap_or_else(|| vendor.base.to_owned());
        Ok(Self {
            vendor,
            key: key_of(vendor, &model.name)?,
            base: Base::parse(&base).ok_or(ProviderError::Base {
                variable: vendor.base_variable,
            })?,
            model: sent_name(model, typed)?.to_owned(),
        })
    }

    /// Returns the host that receives the texts.
    pub fn host(&self) -> &str {
        self.base.host()
    }

    /// Requests the number of tokens of a prompt that consists of `text`.
    ///
    /// # Errors
    /// If the provider cannot be reached, or does not answer with a count.
    pub fn count(&self, text: &str) -> Result<usize, ProviderError> {
        let body = (self.vendor.body)(&self.model, text).to_string();
        ProviderError::check_size(body.len())?;
        let url = self.base.join(&(self.vendor.path)(&self.model));
        let client = Client::new(&self.base).map_err(|message| self.unreachable(&message))?;
        let headers = self.vendor.headers.iter().copied();
        let headers = headers.chain([(self.vendor.key_header, self.key.secret())]);
        let answer = client.post(&url, &headers.collect::<Vec<_>>(), &body);
        let answer = answer.map_err(|message| self.unreachable(&message))?;
        let bytes = text.len();
        match self.read(&answer)? {
            0 if bytes > 0 => Err(ProviderError::Nothing {
                host: self.host().to_owned(),
                bytes,
            }),
            count => Ok(count),
        }
    }

    fn read(&self, answer: &Answer) -> Result<usize, ProviderError> {
        let json: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        if answer.status != 200 {
            return Err(self.refused(answer, &json));
        }
        let count = json.get(self.vendor.count).and_then(Value::as_u64);
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.ok_or(ProviderError::Answer {
            host: self.host().to_owned(),
            field: self.vendor.count,
        })
    }

    fn refused(&self, answer: &Answer, json: &Value) -> ProviderError {
        let message = json.pointer("/error/message").and_then(Value::as_str);
        ProviderError::Refused {
            host: self.host().to_owned(),
            status: answer.status,
            message: self.key.hide(message.unwrap_or("no reason given")),
            keys: self.vendor.keys,
        }
    }

    fn unreachable(&self, message: &str) -> ProviderError {
        ProviderError::Unreachable {
            host: self.host().to_owned(),
            message: self.key.hide(message),
        }
    }
}

fn vendor_of(model: &Model) -> Result<&'static Vendor, ProviderError> {
    if model.tokenizer.is_exact() {
        return Err(ProviderError::CountedHere {
            model: model.name.clone(),
        });
    }
    let vendor = VENDORS.iter().find(|vendor| vendor.name == model.vendor);
    vendor.ok_or_else(|| ProviderError::NoEndpoint {
        model: model.name.clone(),
        known: VENDORS.iter().map(|vendor| vendor.name).collect(),
        vocabulary: file_kind(model.tokenizer).map(FileKind::files),
    })
}

fn key_of(vendor: &Vendor, model: &str) -> Result<Key, ProviderError> {
    let found = vendor.keys.iter().find_map(|name| Some((name, set(name)?)));
    let Some((variable, key)) = found else {
        return Err(ProviderError::NoKey {
            model: model.to_owned(),
            variables: vendor.keys,
        });
    };
    Key::new(&key).ok_or(ProviderError::Key { variable })
}

fn set(name: &str) -> Option<String> {
    let value = env::var(name).ok();
    value.filter(|value| !value.trim().is_empty())
}

/// Returns the model name to send: the typed name if it is the vendor's name plus a date or
/// version, otherwise the registry's. The name becomes part of a URL, so only plain names are
/// accepted.
fn sent_name<'a>(model: &'a Model, typed: &'a str) -> Result<&'a str, ProviderError> {
    let is_plain = |name: &str| {
        let mut bytes = name.bytes();
        bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    };
    let typed = typed.trim();
    let name = match typed.starts_with(&model.name) && is_plain(typed) {
        true => typed,
        false => model.name.as_str(),
    };
    match is_plain(name) && !name.is_empty() {
        true => Ok(name),
        false => Err(ProviderError::Name {
            model: model.name.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(model: &str, typed: &str) -> String {
        let model = loom_models::resolve(model).unwrap();
        sent_name(model, typed).unwrap().to_owned()
    }

    #[test]
    fn names_as_the_provider_knows_them() {
        assert_eq!(sent("sonnet", "sonnet"), "claude-sonnet-5");
        let dated = "claude-sonnet-4-20250514";
        assert_eq!(sent(dated, dated), dated);
        let steered = "gemini-2.5-pro/../../other?x=";
        assert_eq!(sent("gemini-2.5-pro", steered), "gemini-2.5-pro");
    }

    #[test]
    fn vendors_without_an_endpoint() {
        let vendor = |name: &str| vendor_of(loom_models::resolve(name).unwrap());
        assert!(matches!(
            vendor("gpt-5"),
            Err(ProviderError::CountedHere { .. })
        ));
        assert!(matches!(
            vendor("llama-3.3"),
            Err(ProviderError::NoEndpoint { .. })
        ));
        assert_eq!(vendor("gemini-2.5-pro").unwrap().name, "google");
    }
}
