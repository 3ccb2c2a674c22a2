//! Logins of every kind, and texts that only resemble them.

use crate::place::TextContext;
use crate::triggers::{Trigger, triggers};

fn check(path: &str, text: &str, expected: &[&str]) {
    let mut votes = Vec::new();
    for hit in triggers(text.as_bytes()) {
        if let Trigger::Login(number) = hit.trigger {
            let word = hit.start..hit.end;
            super::find(
                text.as_bytes(),
                number,
                &word,
                TextContext::new(path),
                &mut votes,
            );
        }
    }
    votes.retain(|vote| vote.points >= 50);
    let found: Vec<_> = votes.into_iter().map(|vote| &text[vote.span]).collect();
    assert_eq!(found, expected, "{path}: {text}");
}

#[test]
fn calls_take_passwords() {
    for (path, text) in [
        (
            "a.php",
            "mysqli_connect(\"192.168.10.5\", \"report\", \"Saffron.Owl77\", \"stats\")",
        ),
        ("a.php", "new mysqli('h', 'joe', 'Saffron.Owl77', 'db')"),
        ("a.php", "new PDO($dsn, 'joe', 'Saffron.Owl77');"),
        (
            "a.php",
            "new PDO('mysql:host=x;dbname=y', 'joe', 'Saffron.Owl77');",
        ),
        ("a.php", "mysql_connect('h', 'joe', 'Saffron.Owl77')"),
        ("a.php", "ftp_login($c, 'joe', 'Saffron.Owl77')"),
        (
            "a.pl",
            "DBI->connect(\"DBI:mysql:database=crm;host=h\", \"ro\", \"Saffron.Owl77\")",
        ),
        ("a.py", "pymysql.connect('h', 'joe', 'Saffron.Owl77', 'db')"),
        (
            "A.java",
            "DriverManager.getConnection(url, \"joe\", \"Saffron.Owl77\");",
        ),
        (
            "A.java",
            "DriverManager.getConnection(\"jdbc:x\",\n  \"joe\", \"Saffron.Owl77\");",
        ),
        (
            "a.go",
            "smtp.PlainAuth(\"\", \"joe@x.io\", \"Saffron.Owl77\", \"smtp.x.io\")",
        ),
        (
            "a.rs",
            "user_and_password(\"derek\".into(), \"Saffron.Owl77\".into())",
        ),
    ] {
        check(path, text, &["Saffron.Owl77"]);
    }
}

#[test]
fn variables_and_placeholders_of_calls_stay() {
    for (path, text) in [
        ("a.php", "mysqli_connect($host, $user, $password, $db)"),
        (
            "a.php",
            "mysqli_connect(\"localhost\", \"my_user\", \"my_password\", \"my_db\")",
        ),
        ("a.php", "mysqli_connect('h', 'joe', getenv('DB_PASSWORD'))"),
        ("a.php", "new PDO($dsn, 'joe', 'password')"),
        ("a.php", "new PDO($dsn, 'joe', \"Owl77\" . $rest)"),
        ("a.java", "getConnection(url, user, \"Owl77!x\" + rest)"),
        ("a.php", "new PDO($dsn, array('Saffron.Owl77', 'b'))"),
        ("a.py", "pymysql.connect(host, user, password)"),
        ("a.rs", "user_and_password(user.into(), password.into())"),
    ] {
        check(path, text, &[]);
    }
}

#[test]
fn calls_without_brackets_and_pairs_take_passwords() {
    for (path, text) in [
        ("a.rb", "http.basic_auth \"joe\", \"Hq7!zebra\"\n"),
        (
            "a.vbs",
            "connection.Open \"dsn\", \"joe\", \"Hq7!zebra\"\r\n",
        ),
        ("a.erl", "[{user, \"joe\"}, {password, \"Hq7!zebra\"}]"),
        ("a.ino", "WiFi.begin(\"home\", \"Hq7!zebra\");"),
        (
            "a.py",
            "User.objects.create_superuser(\"joe\", \"a@b.c\", \"Hq7!zebra\")",
        ),
        (
            "a.js",
            "new Sequelize(\"db\", \"joe\", \"Hq7!zebra\", { host: \"h\" })",
        ),
        ("A.java", "AuthTokens.basic(\"neo4j\", \"Hq7!zebra\")"),
    ] {
        check(path, text, &["Hq7!zebra"]);
    }
    for (path, text) in [
        (
            "a.rb",
            "http.basic_auth user, password\nputs \"Hq7!zebra\"\n",
        ),
        ("a.erl", "{password, Password}, \"Hq7!zebra\""),
        ("a.ino", "WiFi.begin(ssid, password);"),
        ("a.js", "new Sequelize(url, { password: \"x\" })"),
    ] {
        check(path, text, &[]);
    }
}

#[test]
fn hashes_of_users() {
    let hash = [
        "$6$",
        "aBcDeFgH",
        "$",
        "k29sJdl2mXq0PzRt7vBnYw1cEgHi5uKa3Lp8Qd",
    ]
    .concat();
    check(
        "dump.txt",
        &format!("x\nroot:{hash}:18000:0:::\n"),
        &[&hash],
    );
    check("dump.txt", "root:$6$rounds\n", &[]);
    check("a.py", &format!("f(\"a:{hash}\")"), &[]);
    let nt = "1f75143a5f61debc267b0bc8d3b1939a";
    let none = ["aad3b435b51404ee"; 2].concat();
    check("dump.txt", &format!("joe:500:{none}:{nt}:::"), &[nt]);
    check(
        "dump.txt",
        &format!("joe:500:{none}:31d6cfe0d16ae931b73c59d7e0c089c0:::"),
        &[],
    );
    check(
        "router.txt",
        "username joe password 7 0822455D0A16544541",
        &["0822455D0A16544541"],
    );
    check("notes.txt", "a password 7 characters long", &[]);
}

#[test]
fn calls_take_keys() {
    for (path, text) in [
        ("a.js", "jwt.sign(payload, 'Hq7zebraSigns1')"),
        ("a.js", "jwt.sign({ id: 1, x: [2] }, 'Hq7zebraSigns1', cb)"),
        (
            "a.py",
            "jwt.encode(payload, \"Hq7zebraSigns1\", algorithm=\"HS256\")",
        ),
        ("a.go", "token.SignedString([]byte(\"Hq7zebraSigns1\"))"),
        ("a.js", "cookieParser('Hq7zebraSigns1')"),
        ("a.js", "CryptoJS.AES.encrypt(data, 'Hq7zebraSigns1')"),
        ("a.php", "hash_hmac('sha256', $data, 'Hq7zebraSigns1')"),
        ("a.rb", "JWT.encode payload, 'Hq7zebraSigns1', 'HS256'"),
        ("a.go", "hmac.New(sha256.New, []byte(\"Hq7zebraSigns1\"))"),
        ("a.js", "crypto.createHmac('sha256', 'Hq7zebraSigns1')"),
        (
            "A.java",
            "new SecretKeySpec(\"Hq7zebraSigns1\".getBytes(), \"AES\")",
        ),
        ("a.py", "hmac.new(b\"Hq7zebraSigns1\", msg, hashlib.sha256)"),
    ] {
        check(path, text, &["Hq7zebraSigns1"]);
    }
}

#[test]
fn variables_and_names_of_keys_stay() {
    for (path, text) in [
        ("a.js", "jwt.sign(payload, process.env.JWT_SECRET)"),
        ("a.js", "jwt.sign(payload, 'secret')"),
        ("a.js", "jwt.sign(payload, 'your-256-bit-secret')"),
        ("a.js", "crypto.createHmac('sha256', key)"),
        ("a.js", "crypto.createHmac('sha256', 'message')"),
        ("A.java", "new SecretKeySpec(key, \"HmacSHA256\")"),
        ("a.py", "hmac.new(key, b\"Hq7zebraSigns1\", hashlib.sha256)"),
    ] {
        check(path, text, &[]);
    }
}

#[test]
fn commands_take_passwords() {
    for (path, text) in [
        (
            "a.bat",
            "net use Z: \\\\fs01\\x /user:ACME\\scanner Lemon!Crane7 /persistent:yes",
        ),
        (
            "a.bat",
            "net use \\\\fs01\\x Lemon!Crane7 /user:ACME\\scanner",
        ),
        ("a.bat", "net user joe Lemon!Crane7 /add"),
        ("a.sh", "sqlplus -s scott/Lemon!Crane7@orcl @x.sql"),
        ("a.md", "    sqlplus scott/Lemon!Crane7@orcl"),
        ("a.sh", "sqlcmd -S s1 -U sa -P Lemon!Crane7 -Q x"),
        ("a.sh", "ldapmodify -x -D cn=admin -w Lemon!Crane7 -f x"),
        ("a.sh", "ipmitool -H h -U joe -P Lemon!Crane7 power"),
        (
            "a.bat",
            "schtasks /create /ru ACME\\joe /rp Lemon!Crane7 /tn x",
        ),
        ("a.sh", "xfreerdp /u:joe /p:Lemon!Crane7 /v:h"),
        ("a.bat", "cmdkey /add:h /user:joe /pass:Lemon!Crane7"),
        (
            "a.sh",
            "openssl pkcs12 -in a -passin pass:Lemon!Crane7 -out b",
        ),
        ("a.sh", "smbclient //fs/x -U 'joe%Lemon!Crane7'"),
        ("a.sh", "mongo -u joe -p Lemon!Crane7 h/x"),
        ("a.sh", "cqlsh -u joe -p Lemon!Crane7 h"),
        ("a.sh", "mosquitto_pub -u joe -P Lemon!Crane7 -t x"),
        ("a.sh", "ssh-keygen -t rsa -N Lemon!Crane7 -f x"),
        ("a.sh", "wpa_passphrase home Lemon!Crane7"),
        ("a.sh", "nmcli dev wifi connect home password Lemon!Crane7"),
        ("a.sh", "mc alias set x http://h joe Lemon!Crane7"),
        ("a.sh", "mysqlimport -u joe -pLemon!Crane7 x"),
        ("a.md", "CREATE ROLE x LOGIN PASSWORD 'Lemon!Crane7';"),
        ("a.sh", "lftp -u joe,Lemon!Crane7 ftp.acme.io"),
        ("a.sh", "echo 'Lemon!Crane7' | sudo -S apt update"),
        ("a.md", "echo Lemon!Crane7 | sudo -S apt update"),
        (
            "a.md",
            "docker run -d \\\n  -e MYSQL_PASSWORD=Lemon!Crane7 mysql",
        ),
        ("a.md", "docker run --env=MYSQL_PASSWORD=Lemon!Crane7 mysql"),
        (
            "a.md",
            "ALTER USER 'r'@'%' IDENTIFIED WITH mysql_native_password BY 'Lemon!Crane7';",
        ),
        ("a.md", "CREATE USER x IDENTIFIED BY 'Lemon!Crane7';"),
        ("a.cfg", "snmp-server community Lemon!Crane7 RO"),
        ("a.txt", "WIFI:T:WPA;S:home;P:Lemon!Crane7;;"),
        ("a.exp", "expect \"assword:\"\nsend \"Lemon!Crane7\\r\"\n"),
    ] {
        check(path, text, &["Lemon!Crane7"]);
    }
}

#[test]
fn variables_and_placeholders_of_commands_stay() {
    for (path, text) in [
        ("a.bat", "net use Z: \\\\fs01\\x /user:%USER% %PASSWORD%"),
        ("a.bat", "net use Z: \\\\fs01\\x /user:ACME\\scanner *"),
        ("a.md", "the net user interface is 2good"),
        ("a.sh", "sqlplus / as sysdba"),
        ("a.sh", "docker run --name cloud-mongo -p 27017:27017 x"),
        ("a.sh", "docker run mongo -p 27017:27017"),
        ("a.sh", "sqlplus $USER/$PASS@orcl"),
        ("a.md", "    sqlplus user/password@orcl"),
        ("a.sh", "sqlcmd -S s1 -U sa -P $SA_PASSWORD -Q x"),
        ("a.sh", "smbclient //fs/x -U joe%$PASS"),
        ("a.sh", "echo \"$PASSWORD\" | sudo -S apt update"),
        ("a.sh", "echo done-1A | tee x"),
        (
            "a.md",
            "docker run -e MYSQL_PASSWORD=${PW} -e MYSQL_ROOT_PASSWORD=<password> mysql",
        ),
        (
            "a.md",
            "docker run -e POSTGRES_PASSWORD=mysecretpassword -e A_KEY_FILE=/run/x postgres",
        ),
        ("a.md", "each row is identified by 'column_1'"),
        ("a.md", "CREATE USER x IDENTIFIED BY 'password';"),
        ("a.sh", "openssl pkcs12 -in a -passin pass:$PW"),
        ("a.txt", "expect \"login:\"\nsend \"joe\\r\"\n"),
    ] {
        check(path, text, &[]);
    }
}

#[test]
fn generated_formats_are_found() {
    let uuid = "7a1b44cd-2cb9-4acc-87dd-006b8db2f1b2";
    check(
        "a.log",
        &format!("Using default security password: {uuid}"),
        &[uuid],
    );
    check("a.log", "Using default security password: see above", &[]);
    let key = "@a#*-vetwt4(ul44-ldqb=wzb90xy@a2c-l$mh+p3w6w7q)3g@";
    check("example/base.py", &format!("SECRET_KEY = '{key}'"), &[key]);
    check(
        "example/base.py",
        "SECRET_KEY = os.environ['SECRET_KEY']",
        &[],
    );
    check("example/base.py", "SECRET_KEY = 'not-so-secret'", &[]);
}
