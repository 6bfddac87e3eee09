package dev.chargehand.internal.memory.title;

import dev.chargehand.internal.memory.side.WorkMeter;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.util.function.Consumer;

/**
 * A conversation that needs a title.
 *
 * @param store the store of its tenant
 * @param meter counts what the model uses
 * @param titles how a model writes it
 * @param titled receives the title when it is stored
 */
public record TitleTask(
        Store store,
        WorkMeter meter,
        String tenantId,
        String threadId,
        ThreadOwner owner,
        ThreadTitles titles,
        Consumer<String> titled) {}
