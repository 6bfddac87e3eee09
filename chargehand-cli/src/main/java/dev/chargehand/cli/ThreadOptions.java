package dev.chargehand.cli;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which conversation a command is about: the options of every command over one. */
final class ThreadOptions {

    @Parameters(paramLabel = "THREAD", description = "The conversation.")
    private String thread = "";

    @Option(
            names = "--resource",
            paramLabel = "ID",
            description = "Whom the conversation belongs to, if it was begun with one.")
    private @Nullable String resource;

    @Mixin
    private StoreOptions stores = new StoreOptions();

    /** Opens the store. */
    Store open(Shell shell) {
        stores.begin();
        return stores.open(shell);
    }

    /** Returns whom the conversation is said to belong to; the store refuses another one. */
    ThreadOwner owner() {
        return new ThreadOwner(resource, null);
    }

    String id() {
        return thread;
    }

    /**
     * Finds the conversation.
     *
     * @throws ConfigurationException if it is not there
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to somebody else
     */
    ThreadRecord find(Store from) {
        return new Threads(from).find(thread, owner()).orElseThrow(this::missing);
    }

    ConfigurationException missing() {
        return new ConfigurationException("There is no thread '" + Visible.line(thread, 100) + "' in the store. '"
                + stores.hints().command("threads list") + "' lists those that are there.");
    }

    /** Reads the last messages, oldest first. */
    List<Message> messages(Store from, ThreadRecord record, long most) {
        return new Threads(from).messages(record, owner(), most);
    }
}
