//! Structures of JavaScript files.

use crate::languages::check::{check, check_uses};

#[test]
fn definitions() {
    check(
        "javascript",
        r#"
/** Adds. */
export function add(a, b) { return a && b ? a : b; }

export default class Cart extends base.Cart {
  #count = 0;
  static most = 4;
  onClick = (e) => { };
  constructor() { super(); }
  get total() { return 1; }
  async *walk(a) { const inner = 1; }
}

// How much.
export const LIMIT = 10, other = 2;
let state;
const helper = async (x) => { const y = () => 1; return { z() {} }; };
(function () { var inside = 1; Cart.prototype.late = function () {}; })();
const api = { get(a) {}, post: function () {}, plain: 1 };
function hidden() { function inner() {} }
exports.late = function () {};
Cart.prototype.clear = function (all) {};
export { hidden };

describe("cart", () => {
  const local = 1;
  it('adds "things"', async () => { add(1, 2); });
});
"#,
        "
3-3 public function add *3 | export function add(a, b) | Adds.
5-12 public class Cart | export default class Cart extends base.Cart
6-6 private field Cart.#count | #count = 0
7-7 public field Cart.most | static most = 4
8-8 public method Cart.onClick | onClick = (e)
9-9 public constructor Cart.constructor | constructor()
10-10 public property Cart.total | get total()
11-11 public method Cart.walk | async *walk(a)
15-15 public constant LIMIT | export const LIMIT = 10, other = 2 | How much.
15-15 public constant other | other = 2
16-16 private variable state | let state
17-17 private function helper | const helper = async (x)
17-17 private function helper.y | const y = ()
18-18 private variable inside | var inside = 1
18-18 public method Cart.late | Cart.prototype.late = function ()
19-19 private constant api | const api = { get(a) {}, post: function () {}, plain: 1 }
19-19 private method api.get | get(a)
19-19 private method api.post | post: function ()
20-20 public function hidden | function hidden()
20-20 private function hidden.inner | function inner()
21-21 public function late | exports.late = function ()
22-22 public method Cart.clear | Cart.prototype.clear = function (all)
25-28 public test cart test | describe(\"cart\", ()
27-27 public test cart.adds \"things\" test | it('adds \"things\"', async ()
",
    );
}

#[test]
fn imports() {
    check(
        "javascript",
        "import a, { b as c, d } from './x';\nimport * as e from \"y\";\nimport 'z.css';\nexport * from './all';\nexport { f } from './f';\nconst g = require('g');\nimport('./lazy');\n",
        "import ./x [default, b, d]
         import y [*]
         import z.css []
         export ./all [*]
         export ./f [f]
         dynamic g []
         dynamic ./lazy []",
    );
}

#[test]
fn uses() {
    check_uses(
        "jsx",
        "class A extends B { m() { this.x.y(z?.w()); new C.D(); return <E f={g()}/>; } }",
        "inherit B < A
         call this.x . y < A.m
         call z . w < A.m
         call C . D < A.m
         call E < A.m
         call g < A.m",
    );
}
