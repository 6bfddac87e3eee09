package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.scope.DelegationPrompts;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the thread of a delegation: a new one, the agent's own for the conversation, or that of an earlier delegation.
 *
 * <p>A delegation remembers in a thread only if the conversation above it is remembered at all.
 */
public final class ChildThreads {

    private final Store store;
    private final IdSource ids;

    ChildThreads(Store store, IdSource ids) {
        this.store = store;
        this.ids = ids;
    }

    @Nullable
    ThreadLink of(State parent, CallState call, RunDefinition definition, AgentPath path) {
        ThreadLink above = parent.started().thread();
        if (above == null || !(definition instanceof AgentDefinition)) {
            return null;
        }
        ThreadOwner owner = new ThreadOwner(above.owner().resourceId(), path.toString());
        return shared(parent, call, definition, path)
                .map(thread -> existing(thread, owner))
                .orElseGet(() -> new ThreadLink(ids.next("thread_"), owner, 0));
    }

    /** Return the thread of a delegation if other delegations may want it too. */
    Optional<String> shared(State parent, CallState call, RunDefinition definition, AgentPath path) {
        ThreadLink above = parent.started().thread();
        if (above == null || !(definition instanceof AgentDefinition agent)) {
            return Optional.empty(); // a workflow has no thread
        }
        ConversationState conversation = parent.conversation();
        Optional<String> continued = continued(conversation, call)
                .filter(earlier -> !conversation.isCopied(earlier)) // its thread is the other run's
                .flatMap(earlier -> store.find(earlier.child().runId()))
                .flatMap(run -> run.threadId());
        return continued.isPresent() || agent.delegation().memory() != DelegationMemory.PER_PARENT_THREAD
                ? continued
                : Optional.of(ownThread(above.id(), path));
    }

    private ThreadLink existing(String id, ThreadOwner owner) {
        long length = store.findThread(id).map(ThreadRecord::length).orElse(0L);
        return new ThreadLink(id, owner, length);
    }

    /** The same for the same conversation and agent, wherever it is made. */
    public static String ownThread(String parentThread, AgentPath path) {
        byte[] name = (parentThread.length() + ":" + parentThread + path).getBytes(StandardCharsets.UTF_8);
        return "thread_" + UUID.nameUUIDFromBytes(name).toString().replace("-", "");
    }

    /** Return what was said in the delegation that a call continues, if there is no thread that holds it. */
    static List<Message> recalled(ConversationState parent, CallState call, AgentDefinition agent) {
        boolean remembers = agent.delegation().memory() == DelegationMemory.PER_PARENT_THREAD;
        return continued(parent, call)
                .filter(earlier -> parent.started().thread() == null || (parent.isCopied(earlier) && !remembers))
                .map(earlier -> List.of(
                        Message.user(earlier.child().prompt()),
                        Message.assistant(
                                Objects.requireNonNull(earlier.closed()).text())))
                .orElse(List.of());
    }

    private static Optional<CallState> continued(ConversationState parent, CallState call) {
        return DelegationPrompts.continuedFrom(parent, call);
    }
}
