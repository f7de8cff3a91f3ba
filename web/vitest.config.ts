import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { environment: "happy-dom", include: ["test/*_test.ts"], maxWorkers: 1 },
});
