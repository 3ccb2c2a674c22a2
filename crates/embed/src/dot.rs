//! Dot products of byte vectors, with the widest instructions of the processor.

/// Computes the product of `query` with each row of `rows`.
pub(crate) fn products(query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "instructions that not every processor has")]
        // SAFETY: the line before checks that the processor has AVX2.
        return unsafe { products_avx2(query, rows, out) };
    }
    products_plain(query, rows, out);
}

/// Computes the products with AVX2. The body is safe code; only the call is unsafe on processors
/// without AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn products_avx2(query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
    products_plain(query, rows, out);
}

#[inline(always)]
fn products_plain(query: &[i8], rows: &[i8], out: &mut Vec<i32>) {
    out.extend(rows.chunks_exact(query.len()).map(|row| {
        let pairs = query.iter().zip(row);
        pairs
            .map(|(a, b)| i32::from(*a) * i32::from(*b))
            .sum::<i32>()
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn all_implementations_agree(query in proptest::collection::vec(any::<i8>(), 1..70), rows in proptest::collection::vec(any::<i8>(), 0..500)) {
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            products(&query, &rows, &mut fast);
            products_plain(&query, &rows, &mut plain);
            prop_assert_eq!(fast, plain);
        }
    }
}
