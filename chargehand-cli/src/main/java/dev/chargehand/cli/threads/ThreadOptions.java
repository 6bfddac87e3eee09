package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
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
            names = {"-r", "--resource"},
            paramLabel = "ID",
            description = "The resource that the conversation belongs to, if it has one.")
    private @Nullable String resource;

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    /** Open the store, in a runtime without agents. */
    AgentRuntime open(Shell shell) {
        stores.begin();
        return StoredThreads.runtime(stores.open(shell));
    }

    /** Return the methods of a runtime for the tenant of the conversation. */
    TenantRuntime of(AgentRuntime runtime) {
        return stores.of(runtime);
    }

    /** Return the given owner of the conversation; the store rejects another one. */
    ThreadOwner owner() {
        return new ThreadOwner(resource, null);
    }

    String id() {
        return thread;
    }

    /**
     * Find the conversation.
     *
     * @throws ConfigurationException if it is missing
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another resource
     */
    ThreadRecord find(AgentRuntime from) {
        return new StoredThreads(of(from)).find(thread, owner()).orElseThrow(this::missing);
    }

    ConfigurationException missing() {
        return stores.missingThread(thread);
    }

    /** Read the last messages, oldest first. */
    List<Message> messages(AgentRuntime from, ThreadRecord record, long most) {
        return new StoredThreads(of(from)).messages(record, most);
    }
}
