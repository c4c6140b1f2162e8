//! The paper's own figures: Table 2 and Table 4 of Koroglu and Sen, to stand beside ours. Columns are DFS, CFG, RND, IPPC; what
//! the paper could not measure is not a number.

use serde_json::{Value as Json, json};

pub(super) struct Paper {
    pub program: &'static str,
    pub bound: u64,
    pub calls: [f64; 4],
    pub sizes: [f64; 4],
    pub coverage: [f64; 4],
    pub seconds: [f64; 4],
}

/// Table 4: how many times smaller IPPC's constraints are, and how many times faster it is than DFS.
pub(super) const RATIOS: [(&str, f64, f64); 8] = [
    ("replace", 4.4, 0.6),
    ("bsort", 20.8, 0.79),
    ("sqrt", 21.3, 1.25),
    ("grep", 31.8, 0.83),
    ("ptokens", 48.4, 1.7),
    ("gcd", 97.5, 2.77),
    ("prime", 115.6, 9.1),
    ("factor", 137.3, 9.8),
];

/// Table 2.
const TABLE: [Paper; 24] = [
    Paper {
        program: "gcd",
        bound: 1000,
        calls: [5681.0, 866.0, 1105.0, 11004.0],
        sizes: [161.0, 4.1, 2.9, 1.9],
        coverage: [100.0, 100.0, 100.0, 100.0],
        seconds: [22.6, 5.7, 3.9, 7.5],
    },
    Paper {
        program: "gcd",
        bound: 5000,
        calls: [25801.0, 4364.0, 5653.0, 64844.0],
        sizes: [188.6, 5.7, 2.8, 1.9],
        coverage: [100.0, 100.0, 100.0, 100.0],
        seconds: [119.5, 24.8, 21.6, 34.7],
    },
    Paper {
        program: "gcd",
        bound: 10000,
        calls: [47367.0, 8761.0, 11287.0, 120678.0],
        sizes: [206.3, 5.9, 2.8, 1.9],
        coverage: [100.0, 100.0, 100.0, 100.0],
        seconds: [234.5, 48.7, 45.7, 125.5],
    },
    Paper {
        program: "bsort",
        bound: 100,
        calls: [117.0, 53.0, 104.0, 1346.0],
        sizes: [145.7, 148.5, 88.9, 10.3],
        coverage: [100.0, 100.0, 100.0, 100.0],
        seconds: [1.1, 0.8, 0.9, 1.3],
    },
    Paper {
        program: "bsort",
        bound: 500,
        calls: [711.0, 284.0, 537.0, 10306.0],
        sizes: [308.9, 165.3, 115.5, 12.7],
        coverage: [100.0, 100.0, 100.0, 100.0],
        seconds: [7.6, 5.0, 4.8, 9.2],
    },
    Paper {
        program: "bsort",
        bound: 1000,
        calls: [1462.0, 571.0, 1063.0, 25023.0],
        sizes: [342.5, 165.0, 132.6, 14.3],
        coverage: [100.0, 100.0, 100.0, 100.0],
        seconds: [15.5, 8.7, 9.5, 21.9],
    },
    Paper {
        program: "sqrt",
        bound: 1000,
        calls: [1010.0, 980.0, 1064.0, 1006.0],
        sizes: [17.2, 2.3, 1.8, 1.0],
        coverage: [94.4, 94.4, 94.4, 94.4],
        seconds: [4.3, 4.5, 4.3, 3.9],
    },
    Paper {
        program: "sqrt",
        bound: 5000,
        calls: [5001.0, 4894.0, 5372.0, 5006.0],
        sizes: [24.0, 2.3, 1.8, 1.0],
        coverage: [94.4, 94.4, 94.4, 94.4],
        seconds: [30.1, 23.1, 22.2, 20.3],
    },
    Paper {
        program: "sqrt",
        bound: 10000,
        calls: [10010.0, 9820.0, 10732.0, 10014.0],
        sizes: [22.7, 2.3, 1.8, 1.0],
        coverage: [94.4, 94.4, 94.4, 94.4],
        seconds: [45.9, 42.0, 42.2, 39.1],
    },
    Paper {
        program: "prime",
        bound: 100,
        calls: [1275.0, 92.0, 111.0, 132.0],
        sizes: [103.3, 7.5, 4.8, 1.2],
        coverage: [92.5, 85.0, 62.5, 92.5],
        seconds: [2.3, 0.5, 0.5, 0.4],
    },
    Paper {
        program: "prime",
        bound: 175,
        calls: [3946.0, 165.0, 212.0, 253.0],
        sizes: [186.6, 8.0, 4.0, 1.2],
        coverage: [92.5, 90.0, 70.0, 92.5],
        seconds: [10.1, 1.0, 1.1, 0.8],
    },
    Paper {
        program: "prime",
        bound: 250,
        calls: [4166.0, 236.0, 287.0, 1688.0],
        sizes: [189.6, 7.2, 4.1, 1.8],
        coverage: [92.5, 92.5, 82.5, 92.5],
        seconds: [13.5, 1.6, 1.6, 1.5],
    },
    Paper {
        program: "factor",
        bound: 50,
        calls: [2678.0, 80.0, 110.0, 7693.0],
        sizes: [222.1, 2.9, 4.0, 1.9],
        coverage: [94.2, 94.2, 76.9, 94.2],
        seconds: [8.6, 0.2, 0.2, 1.5],
    },
    Paper {
        program: "factor",
        bound: 75,
        calls: [5734.0, 111.0, 145.0, 25255.0],
        sizes: [249.7, 3.4, 4.7, 1.9],
        coverage: [94.2, 94.2, 83.2, 94.2],
        seconds: [23.5, 0.3, 0.3, 4.6],
    },
    Paper {
        program: "factor",
        bound: 100,
        calls: [11157.0, 148.0, 243.0, 34218.0],
        sizes: [310.9, 2.8, 16.0, 1.9],
        coverage: [94.2, 94.2, 89.4, 94.2],
        seconds: [120.3, 0.6, 0.5, 6.4],
    },
    Paper {
        program: "replace",
        bound: 1000,
        calls: [1129.0, 1024.0, 1024.0, 6847.0],
        sizes: [16.6, 25.9, 31.7, 3.8],
        coverage: [85.2, 88.7, 85.2, 85.2],
        seconds: [4.1, 4.5, 4.1, 5.8],
    },
    Paper {
        program: "replace",
        bound: 5000,
        calls: [5623.0, 5193.0, 5167.0, 43695.0],
        sizes: [21.5, 28.4, 32.4, 4.8],
        coverage: [88.7, 90.8, 88.7, 88.7],
        seconds: [22.0, 23.8, 22.4, 31.4],
    },
    Paper {
        program: "replace",
        bound: 10000,
        calls: [10936.0, 10270.0, 10301.0, 103590.0],
        sizes: [24.5, 28.0, 33.0, 5.6],
        coverage: [88.7, 90.8, 90.8, 88.7],
        seconds: [43.1, 45.5, 44.6, 66.9],
    },
    Paper {
        program: "ptokens",
        bound: 1000,
        calls: [1181.0, 1355.0, 1319.0, 38415.0],
        sizes: [591.0, 136.8, 102.2, 29.8],
        coverage: [85.1, 79.8, 79.8, 85.1],
        seconds: [30.0, 9.4, 8.6, 18.5],
    },
    Paper {
        program: "ptokens",
        bound: 5000,
        calls: [6394.0, 6976.0, 6739.0, 253829.0],
        sizes: [1949.9, 148.7, 103.2, 37.5],
        coverage: [85.1, 84.4, 84.9, 85.1],
        seconds: [212.4, 48.4, 47.7, 106.1],
    },
    Paper {
        program: "ptokens",
        bound: 10000,
        calls: [13394.0, 13838.0, 13510.0, 432262.0],
        sizes: [2241.6, 163.7, 99.7, 30.5],
        coverage: [91.5, 89.6, 88.9, 91.5],
        seconds: [321.7, 106.8, 91.2, 210.8],
    },
    Paper {
        program: "grep",
        bound: 100,
        calls: [100.0, f64::NAN, 121.0, 436.0],
        sizes: [59.0, f64::NAN, 362.0, 3.2],
        coverage: [16.7, f64::NAN, 16.7, 16.7],
        seconds: [0.3, f64::NAN, 0.4, 0.4],
    },
    Paper {
        program: "grep",
        bound: 220,
        calls: [269.0, f64::NAN, 272.0, 1671.0],
        sizes: [178.4, f64::NAN, 332.2, 4.7],
        coverage: [16.7, f64::NAN, 16.7, 16.7],
        seconds: [0.9, f64::NAN, 0.9, 1.0],
    },
    Paper {
        program: "grep",
        bound: 340,
        calls: [439.0, f64::NAN, 451.0, 3671.0],
        sizes: [324.8, f64::NAN, 350.1, 8.3],
        coverage: [16.7, f64::NAN, 16.7, 16.7],
        seconds: [1.6, f64::NAN, 1.5, 1.9],
    },
];

pub(super) fn row(program: &str, bound: u64) -> Option<&'static Paper> {
    TABLE.iter().find(|row| row.program == program && row.bound == bound)
}

/// The paper's row; what it could not measure is null.
pub(super) fn json(program: &str, bound: u64) -> Json {
    match row(program, bound) {
        Some(row) => {
            json!({"calls": row.calls, "mean_constraints": row.sizes, "coverage": row.coverage, "seconds": row.seconds})
        }
        None => Json::Null,
    }
}
