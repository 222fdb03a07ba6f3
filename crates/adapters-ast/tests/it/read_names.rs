//! Names of parameters, variables and functions that something reads though no other text mentions them (REQ 165).

use bailiwick_domain::MutationMethod::Renamed;

use crate::pairs::{is_evolution, is_refactor};

// REQ 165; threat C4: a framework gives a parameter what has its name.
#[test]
fn a_parameter_that_is_given_by_its_name_keeps_it() {
    for (path, before, after) in [
        (
            "Users.java",
            "import org.springframework.web.bind.annotation.*;\n\n@RestController\nclass Users {\n    private final Store store;\n\n    @GetMapping(\"/users/{id}\")\n    public User find(@PathVariable Long id, @RequestParam String name) {\n        return store.load(id, name);\n    }\n}\n",
            "import org.springframework.web.bind.annotation.*;\n\n@RestController\nclass Users {\n    private final Store store;\n\n    @GetMapping(\"/users/{id}\")\n    public User find(@PathVariable Long key, @RequestParam String name) {\n        return store.load(key, name);\n    }\n}\n",
        ),
        (
            "Users.java",
            "import org.springframework.web.bind.annotation.*;\n\n@RestController\nclass Users {\n    private final Store store;\n\n    @GetMapping(\"/users/{id}\")\n    public User find(@PathVariable Long id, @RequestParam String name) {\n        return store.load(id, name);\n    }\n}\n",
            "import org.springframework.web.bind.annotation.*;\n\n@RestController\nclass Users {\n    private final Store store;\n\n    @GetMapping(\"/users/{id}\")\n    public User find(@PathVariable Long id, @RequestParam String label) {\n        return store.load(id, label);\n    }\n}\n",
        ),
        (
            "UserMapper.java",
            "import java.util.List;\n\n@Mapper\ninterface UserMapper {\n    @Select(\"select * from users where id = #{id}\")\n    User find(Long id);\n\n    default User load(Long id) {\n        return find(id);\n    }\n}\n",
            "import java.util.List;\n\n@Mapper\ninterface UserMapper {\n    @Select(\"select * from users where id = #{id}\")\n    User find(Long key);\n\n    default User load(Long id) {\n        return find(id);\n    }\n}\n",
        ),
        (
            "Point.java",
            "class Point {\n    private final int x;\n\n    @JsonCreator\n    Point(int x) {\n        this.x = x;\n    }\n}\n",
            "class Point {\n    private final int x;\n\n    @JsonCreator\n    Point(int left) {\n        this.x = left;\n    }\n}\n",
        ),
        (
            "a.rs",
            "#[tauri::command]\nfn greet(name: &str) -> String {\n    format!(\"Hello, {}!\", name)\n}\n",
            "#[tauri::command]\nfn greet(user: &str) -> String {\n    format!(\"Hello, {}!\", user)\n}\n",
        ),
        (
            "a.rs",
            "#[get(\"/users/<id>\")]\nfn show(id: u32) -> String {\n    load(id)\n}\n",
            "#[get(\"/users/<id>\")]\nfn show(key: u32) -> String {\n    load(key)\n}\n",
        ),
        (
            "a.rs",
            "#[tracing::instrument]\npub async fn login(user: u32) -> bool {\n    check(user).await\n}\n",
            "#[tracing::instrument]\npub async fn login(account: u32) -> bool {\n    check(account).await\n}\n",
        ),
        (
            "a.rs",
            "#[rstest]\nfn adds(pool: Pool) {\n    assert_eq!(pool.len(), 0);\n}\n",
            "#[rstest]\nfn adds(other_pool: Pool) {\n    assert_eq!(other_pool.len(), 0);\n}\n",
        ),
        (
            "a.rs",
            "#[pyfunction]\nfn add(left: i64, right: i64) -> i64 { left + right }\n",
            "#[pyfunction]\nfn add(a: i64, b: i64) -> i64 { a + b }\n",
        ),
        (
            "a.js",
            "angular.module('a').controller('B', function ($scope, $http) {\n  $http.get('/x').then(function (r) { $scope.rows = r.data; });\n});\n",
            "angular.module('a').controller('B', function ($scope, $client) {\n  $client.get('/x').then(function (r) { $scope.rows = r.data; });\n});\n",
        ),
        (
            "a.py",
            "def make(x):\n    scale = lambda value, by=2: value * by\n    return scale(x, by=3)\n",
            "def make(x):\n    scale = lambda value, times=2: value * times\n    return scale(x, by=3)\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: a text is made of the name.
#[test]
fn a_variable_whose_name_is_written_out_keeps_it() {
    for (path, before, after) in [
        (
            "a.py",
            "def report(rows):\n    total = sum(rows)\n    print(f\"{total=}\")\n",
            "def report(rows):\n    result = sum(rows)\n    print(f\"{result=}\")\n",
        ),
        (
            "A.cs",
            "class A\n{\n    void Put(string key)\n    {\n        Guard.Against.NullOrEmpty(key);\n        store.Put(key);\n    }\n\n    void Go()\n    {\n        var rows = Load();\n        Guard.Against.Null(rows);\n        Put(rows);\n    }\n}\n",
            "class A\n{\n    void Put(string key)\n    {\n        Guard.Against.NullOrEmpty(key);\n        store.Put(key);\n    }\n\n    void Go()\n    {\n        var items = Load();\n        Guard.Against.Null(items);\n        Put(items);\n    }\n}\n",
        ),
        (
            "a.c",
            "#define DUMP(x) printf(#x \" = %d\\n\", x)\nint f(int a)\n{\n\tint total = a * 2;\n\tDUMP(total);\n\treturn total;\n}\n",
            "#define DUMP(x) printf(#x \" = %d\\n\", x)\nint f(int a)\n{\n\tint result = a * 2;\n\tDUMP(result);\n\treturn result;\n}\n",
        ),
        (
            "a.c",
            "#include \"log.h\"\nint f(int a)\n{\n\tint total = a * 2;\n\tLOG_VAR(total);\n\treturn total;\n}\n",
            "#include \"log.h\"\nint f(int a)\n{\n\tint result = a * 2;\n\tLOG_VAR(result);\n\treturn result;\n}\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: the member that gets a value is none of the variables.
#[test]
fn a_member_in_an_initializer_is_no_variable() {
    is_evolution(
        "A.cs",
        "class A\n{\n    B Make(int size)\n    {\n        int width = size * 2;\n        return new B { width = width };\n    }\n}\n",
        "class A\n{\n    B Make(int size)\n    {\n        int height = size * 2;\n        return new B { height = height };\n    }\n}\n",
    );
}

// REQ 165; threat C4: decorators, engines and languages call these.
#[test]
fn a_function_that_is_found_by_its_name_keeps_it() {
    for (path, before, after) in [
        (
            "app.py",
            "from flask import Flask\n\n\ndef create_app():\n    app = Flask(__name__)\n\n    @app.route('/')\n    def index():\n        return 'x'\n\n    return app\n",
            "from flask import Flask\n\n\ndef create_app():\n    app = Flask(__name__)\n\n    @app.route('/')\n    def home():\n        return 'x'\n\n    return app\n",
        ),
        (
            "Player.cs",
            "using UnityEngine;\n\npublic class Player : MonoBehaviour\n{\n    private int speed;\n\n    void FixedUpdate()\n    {\n        speed += 1;\n    }\n}\n",
            "using UnityEngine;\n\npublic class Player : MonoBehaviour\n{\n    private int speed;\n\n    void OnTick()\n    {\n        speed += 1;\n    }\n}\n",
        ),
        (
            "Player.cs",
            "using UnityEngine;\n\npublic class Player : MonoBehaviour\n{\n    private int speed;\n\n    void FixedUpdate()\n    {\n        speed += 1;\n    }\n}\n",
            "using UnityEngine;\n\npublic class Player : MonoBehaviour\n{\n    private int speed;\n\n    void LateUpdate()\n    {\n        speed += 1;\n    }\n}\n",
        ),
        (
            "a.php",
            "<?php\nclass A { public function fetchValueNow($n) { return 1; } public function f() { return $this->fetchValueNow(1); } }\n",
            "<?php\nclass A { public function __get($n) { return 1; } public function f() { return $this->__get(1); } }\n",
        ),
        (
            "a.py",
            "class A:\n    def __init__(self):\n        self._x = 1\n\n    def f(self):\n        return self._x\n",
            "class A:\n    def __init__(self):\n        self.__x = 1\n\n    def f(self):\n        return self.__x\n",
        ),
        (
            "a.ts",
            "class FirstThing { }\nexport const a = new FirstThing().constructor.name;\n",
            "class OtherThing { }\nexport const a = new OtherThing().constructor.name;\n",
        ),
        (
            "a.ts",
            "@Component({ templateUrl: './a.html' })\nexport class A {\n  openTheBox() { return 1; }\n  f() { return this.openTheBox(); }\n}\n",
            "@Component({ templateUrl: './a.html' })\nexport class A {\n  showTheBox() { return 1; }\n  f() { return this.showTheBox(); }\n}\n",
        ),
        (
            "a.ts",
            "@Component({ templateUrl: './a.html' })\nexport class A {\n  private openTheBox() { return 1; }\n  f() { return this.openTheBox(); }\n}\n",
            "@Component({ templateUrl: './a.html' })\nexport class A {\n  private showTheBox() { return 1; }\n  f() { return this.showTheBox(); }\n}\n",
        ),
        (
            "a.rs",
            "#[pymethods]\nimpl A {\n    fn add_all_rows(&self) -> u8 { 1 }\n    fn f(&self) -> u8 { self.add_all_rows() }\n}\n",
            "#[pymethods]\nimpl A {\n    fn put_all_rows(&self) -> u8 { 1 }\n    fn f(&self) -> u8 { self.put_all_rows() }\n}\n",
        ),
        (
            "a.rs",
            "#[pymodule]\nmod m {\n    pub fn add_all_rows() -> u8 { 1 }\n    pub fn f() -> u8 { add_all_rows() }\n}\n",
            "#[pymodule]\nmod m {\n    pub fn put_all_rows() -> u8 { 1 }\n    pub fn f() -> u8 { put_all_rows() }\n}\n",
        ),
        (
            "A.cs",
            "public class UsersController\n{\n    public int ListAllUsers() { return 1; }\n    int F() { return ListAllUsers(); }\n}\n",
            "public class UsersController\n{\n    public int ShowAllUsers() { return 1; }\n    int F() { return ShowAllUsers(); }\n}\n",
        ),
        (
            "page.js",
            "function showMenu() { return 1; }\nfunction init2() { showMenu(); }\ninit2();\n",
            "function openMenu() { return 1; }\nfunction init2() { openMenu(); }\ninit2();\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: a path in a text leads to the function.
#[test]
fn a_function_that_a_text_leads_to_keeps_its_name() {
    for (path, before, after) in [
        (
            "a.php",
            "<?php\nclass A {\n    public static function handleAll($x) { return $x; }\n    public function go($xs) { self::handleAll(1); return array_map('A::handleAll', $xs); }\n}\n",
            "<?php\nclass A {\n    public static function treatAll($x) { return $x; }\n    public function go($xs) { self::treatAll(1); return array_map('A::handleAll', $xs); }\n}\n",
        ),
        (
            "a.py",
            "import mock\n\n\ndef fetch_all_rows(x):\n    return x\n\n\ndef go():\n    with mock.patch('app.db.fetch_all_rows'):\n        return fetch_all_rows(1)\n",
            "import mock\n\n\ndef read_all_rows(x):\n    return x\n\n\ndef go():\n    with mock.patch('app.db.fetch_all_rows'):\n        return read_all_rows(1)\n",
        ),
        (
            "Guard.java",
            "class Guard {\n    @PreAuthorize(\"@guard.mayReadUser(#id)\")\n    void open(Long id) { }\n\n    boolean mayReadUser(Long id) { return id > 0; }\n\n    boolean both(Long id) { return mayReadUser(id); }\n}\n",
            "class Guard {\n    @PreAuthorize(\"@guard.mayReadUser(#id)\")\n    void open(Long id) { }\n\n    boolean canReadUser(Long id) { return id > 0; }\n\n    boolean both(Long id) { return canReadUser(id); }\n}\n",
        ),
        (
            "a.py",
            "def read_rows(x):\n    if not x:\n        raise ValueError('use db.read_rows with rows')\n    return x\n\n\ndef go(x):\n    return read_rows(x)\n",
            "def load_rows(x):\n    if not x:\n        raise ValueError('use db.load_rows with rows')\n    return x\n\n\ndef go(x):\n    return load_rows(x)\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165; threat C4: any function may be the one whose name is put together.
#[test]
fn a_function_that_may_be_called_by_a_text_keeps_its_name() {
    for (path, before, after) in [
        (
            "a.js",
            "class A {\n  run(kind) { return this['load' + kind + 'List'](); }\n  loadUserList() { return 1; }\n  first() { return this.loadUserList(); }\n}\n",
            "class A {\n  run(kind) { return this['load' + kind + 'List'](); }\n  readUserList() { return 1; }\n  first() { return this.readUserList(); }\n}\n",
        ),
        (
            "a.js",
            "function loadUserList() { return 1; }\nfunction go(k) { return window['load' + k](loadUserList()); }\n",
            "function readUserList() { return 1; }\nfunction go(k) { return window['load' + k](readUserList()); }\n",
        ),
        (
            "a.js",
            "function openTheBox() { return 1; }\nconst html = '<a onclick=\"openTheBox()\">x</a>';\nopenTheBox();\n",
            "function showTheBox() { return 1; }\nconst html = '<a onclick=\"openTheBox()\">x</a>';\nshowTheBox();\n",
        ),
        (
            "a.php",
            "<?php\nclass A {\n  function run($k) { $m = 'load' . $k; return $this->$m(); }\n  private function loadUserList() { return 1; }\n  function first() { return $this->loadUserList(); }\n}\n",
            "<?php\nclass A {\n  function run($k) { $m = 'load' . $k; return $this->$m(); }\n  private function readUserList() { return 1; }\n  function first() { return $this->readUserList(); }\n}\n",
        ),
        (
            "a.rb",
            "class A\n  def run(kind)\n    send(\"load_#{kind}_list\")\n  end\n\n  def load_user_list\n    1\n  end\n\n  def first\n    load_user_list\n  end\nend\n",
            "class A\n  def run(kind)\n    send(\"load_#{kind}_list\")\n  end\n\n  def read_user_list\n    1\n  end\n\n  def first\n    read_user_list\n  end\nend\n",
        ),
        (
            "a.py",
            "class A:\n    def run(self, kind):\n        return getattr(self, f'load_{kind}_list')()\n\n    def load_user_list(self):\n        return 1\n\n    def first(self):\n        return self.load_user_list()\n",
            "class A:\n    def run(self, kind):\n        return getattr(self, f'load_{kind}_list')()\n\n    def read_user_list(self):\n        return 1\n\n    def first(self):\n        return self.read_user_list()\n",
        ),
        (
            "A.java",
            "class A {\n  Object run(String k) throws Exception { return getClass().getDeclaredMethod(\"load\" + k).invoke(this); }\n  private int loadUserList() { return 1; }\n  int first() { return loadUserList(); }\n}\n",
            "class A {\n  Object run(String k) throws Exception { return getClass().getDeclaredMethod(\"load\" + k).invoke(this); }\n  private int readUserList() { return 1; }\n  int first() { return readUserList(); }\n}\n",
        ),
        (
            "a.go",
            "package a\n\nimport \"reflect\"\n\ntype A struct{}\n\nfunc (a A) Run(k string) { reflect.ValueOf(a).MethodByName(\"Load\" + k).Call(nil) }\n\nfunc (a A) LoadUserListNow() int { return 1 }\n\nfunc (a A) First() int { return a.LoadUserListNow() }\n",
            "package a\n\nimport \"reflect\"\n\ntype A struct{}\n\nfunc (a A) Run(k string) { reflect.ValueOf(a).MethodByName(\"Load\" + k).Call(nil) }\n\nfunc (a A) ReadUserListNow() int { return 1 }\n\nfunc (a A) First() int { return a.ReadUserListNow() }\n",
        ),
        (
            "A.cs",
            "class A\n{\n    object Run(string k) { return GetType().GetMethod(\"Load\" + k).Invoke(this, null); }\n    private int LoadUserList() { return 1; }\n    int First() { return LoadUserList(); }\n}\n",
            "class A\n{\n    object Run(string k) { return GetType().GetMethod(\"Load\" + k).Invoke(this, null); }\n    private int ReadUserList() { return 1; }\n    int First() { return ReadUserList(); }\n}\n",
        ),
        (
            "a.go",
            "package a\n\ntype Arith int\n\nfunc (t *Arith) MultiplyAllRows(a *Args, r *int) error { return nil }\n\nfunc f(t *Arith) { t.MultiplyAllRows(nil, nil); rpc.Register(t) }\n",
            "package a\n\ntype Arith int\n\nfunc (t *Arith) TimesAllRows(a *Args, r *int) error { return nil }\n\nfunc f(t *Arith) { t.TimesAllRows(nil, nil); rpc.Register(t) }\n",
        ),
    ] {
        is_evolution(path, before, after);
    }
}

// REQ 165
#[test]
fn a_name_that_nothing_reads_may_change() {
    for (path, text) in [
        (
            "A.java",
            "class A {\n  @Override\n  public int f(int %, @Nullable String s) { return g(%, s); }\n}\n",
        ),
        ("a.rs", "#[inline]\n#[must_use]\nfn f(%: u8) -> u8 { % + 1 }\n"),
        (
            "a.rs",
            "#[cfg(test)]\nmod tests {\n    #[tokio::test]\n    async fn f() { let % = g().await; h(%); }\n}\n",
        ),
        ("a.js", "function f(%) { return g(% + 1); }\n"),
        ("a.py", "def f(rows):\n    % = sum(rows)\n    print(f\"{%} {rows=}\")\n"),
        ("a.py", "f = lambda x: [% for % in x]\n"),
        ("a.py", "def f(xs):\n    return sorted(xs, key=lambda %: %.a)\n"),
        (
            "A.cs",
            "class A\n{\n    B F(int n)\n    {\n        int % = n * 2;\n        return new B { Size = % };\n    }\n}\n",
        ),
        (
            "a.py",
            "class A:\n    def %_row_list(self):\n        return getattr(self, 'a', 1)\n\n    def f(self):\n        return self.%_row_list()\n",
        ),
        ("a.js", "class A {\n  #%() { return 1 }\n  f(x) { return x[0]() + this.#%() }\n}\n"),
        ("a.c", "int f(int a)\n{\n\tint % = a * 2;\n\tshow(%);\n\treturn %;\n}\n"),
    ] {
        is_refactor(path, Renamed, &text.replace('%', "earlier"), &text.replace('%', "later"));
    }
}
