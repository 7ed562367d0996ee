import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files whose size does not tell how long they take: they wait, or take many or large inputs. */
const LONG =
  /[/](fuzz|storm)[/]|speed\.test|start-again|store-reconnect|machine-processes|fault-matrix|context-file[/]fix/;

/** Starts long files first, so that at the end no worker waits half a minute for another's; the rest by size, as by default. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const isLong = (file: TestSpecification) => LONG.test(file.moduleId);
    return [...bySize.filter(isLong), ...bySize.filter((file) => !isLong(file))];
  }
}
