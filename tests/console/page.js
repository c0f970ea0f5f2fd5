// Runs the script of a page (a file, named first) against the least of a document that it needs, presses keys as told
// (all further arguments), and prints after each which moments are shown.
"use strict";
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const script = /<script>([\s\S]*?)<\/script>/.exec(page)[1];
const count = page.split('class="moment"').length - 1;

function element(tagName) {
  const made = { tagName, classes: new Set(), attributes: {}, dataset: { left: "0", wide: "100" }, listeners: {} };
  made.hidden = true;
  made.setAttribute = (name, value) => { made.attributes[name] = value; };
  made.getAttribute = (name) => made.attributes[name];
  made.addEventListener = (name, listener) => { made.listeners[name] = listener; };
  made.classList = { toggle: (name, on) => (on ? made.classes.add(name) : made.classes.delete(name)) };
  return made;
}

const moments = Array.from({ length: count }, () => element("SECTION"));
const cursors = [element("line")];
const controls = element("DIV");
const named = {};
named.auto = element("BUTTON");
named.auto.dataset.play = /data-play="([^"]*)"/.exec(page)[1];
named.auto.dataset.stop = /data-stop="([^"]*)"/.exec(page)[1];
const found = element("DOCUMENT");
found.querySelectorAll = (asked) => (asked === ".moment" ? moments : cursors);
found.querySelector = () => controls;
found.getElementById = (id) => (named[id] = named[id] || element("BUTTON"));
global.document = found;
global.location = { hash: "#m2" };
global.setInterval = () => 1;
global.clearInterval = () => {};
eval(script);

function say(after) {
  const shown = moments.map((each, index) => (each.classes.has("away") ? -1 : index)).filter((each) => each >= 0);
  console.log(after, shown.join(","), cursors[0].attributes.x1, named.auto.textContent, controls.hidden);
}

say("start");
for (const key of process.argv.slice(3)) {
  if (key.startsWith("#")) {
    named[key.slice(1)].listeners.click();
  } else if (/^[0-9]+$/.test(key)) {
    named.slider.value = key;
    named.slider.listeners.input();
  } else {
    found.listeners.keydown({ key, preventDefault() {}, target: { tagName: "BODY" } });
  }
  say(key);
}
