//! A small repository that tests of several crates share.

use crate::Sandbox;

/// Creates a committed repository with two Python files and a secret, and a file outside of it.
pub fn shop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.git(&["init", "-q"]);
    sandbox.write(
        "src/shop.py",
        "class Shop:\n    \"\"\"Sells things.\"\"\"\n\n    def sell(self, item):\n        return price_of(item)\n\n\ndef price_of(item):\n    return item.price\n",
    );
    sandbox.write(
        "src/main.py",
        "from shop import Shop\n\nShop().sell(None)\n",
    );
    sandbox.write("config.py", "PASSWORD = 'Tq8vZr2LmX4wKp'\n");
    sandbox.write("../outside.txt", "outside the root\n");
    sandbox.commit_all();
    sandbox
}
