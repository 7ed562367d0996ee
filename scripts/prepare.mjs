// What npm runs behind an install in a clone, and before it packs one: the build, where its tools are there.
try {
  await import("esbuild");
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error(
    "agent-context: the tools of its build are not installed. For a global installation from a repository npm installs none\n" +
      "(npm/cli#8440): clone it, and run npm install and npm link in the clone.",
  );
  process.exit(1);
}
await import("./build.mjs");
