// Validates glTF files by the validator of Khronos: anything that it remarks is a failure.
// usage: node validate.js FILE...
const fs = require("fs");
const path = require("path");
const validator = require("gltf-validator");

const read = (name) => new Uint8Array(fs.readFileSync(name));

async function validate(name) {
  const beside = (uri) => Promise.resolve(read(path.join(path.dirname(name), decodeURIComponent(uri))));
  const { issues } = await validator.validateBytes(read(name), { externalResourceFunction: beside });
  console.log(`${name}: ${issues.messages.length} remarks of the validator`);
  for (const { code, message, pointer } of issues.messages) console.log(`  ${code} ${pointer}: ${message}`);
  return issues.messages.length;
}

Promise.all(process.argv.slice(2).map(validate)).then((counts) => {
  process.exitCode = counts.some((count) => count > 0) ? 1 : 0;
});
