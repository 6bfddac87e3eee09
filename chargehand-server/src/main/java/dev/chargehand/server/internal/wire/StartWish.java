package dev.chargehand.server.internal.wire;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.message.Message;
import dev.chargehand.server.internal.api.StartRoutes;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run that a client wants. Made by one thread. */
public final class StartWish {

    private final Agent agent;
    private final List<Message> input;
    private @Nullable String thread;
    private @Nullable String resource;
    private @Nullable String key;
    private @Nullable String keyPlace;
    private boolean keepsThread;
    private boolean background;
    private boolean streamed;
    private boolean network;
    private Consumer<RunOptions.Builder> options = changes -> {};

    /** Make it. */
    public StartWish(Agent agent, List<Message> input) {
        this.agent = agent;
        this.input = List.copyOf(input);
    }

    /** Set the thread, as {@link WireRuns#thread} returns it. Default: none. */
    public StartWish thread(Optional<String> value) {
        thread = value.orElse(null);
        return this;
    }

    /** Set the resource that the client names. Default: that of the caller. */
    public StartWish resource(Optional<String> value) {
        resource = value.orElse(null);
        return this;
    }

    /** Set a key with which a repeated request finds the same run. Default: that of the request's header, if it has one. */
    public StartWish key(String value) {
        key = value;
        return this;
    }

    /** Set an id of the client, with which {@link WireRuns#idOf} finds the run too, and a repeated request of any route of the agent. */
    public StartWish key(String place, String value) {
        keyPlace = place;
        return key(value);
    }

    /** Give the run a thread even if the client names none. */
    public StartWish keepsThread() {
        keepsThread = true;
        return this;
    }

    /** Set whether the run is stored for any process, and does not end with its request. Default: false. */
    public StartWish background(boolean value) {
        background = value;
        return this;
    }

    /** Set whether the request streams the run; one that is not in the background is read in any case. Default: false. */
    public StartWish streamed(boolean value) {
        streamed = value;
        return this;
    }

    /** Set whether it is a run of the agent as a network. Default: false. */
    public StartWish network(boolean value) {
        network = value;
        return this;
    }

    /** Set further options. */
    public StartWish options(Consumer<RunOptions.Builder> value) {
        options = value;
        return this;
    }

    Agent agent() {
        return network ? StartRoutes.network(agent) : agent;
    }

    /** Return what is run: one key may stand for runs of several agents, and for those of an agent as a network. */
    String form() {
        return agent.id() + (network ? "/network" : "");
    }

    /** Return the messages of the run. */
    public List<Message> input() {
        return input;
    }

    /** Return the thread of the run. */
    public Optional<String> thread() {
        return Optional.ofNullable(thread);
    }

    Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    /** Return the key of the run; empty if only a header of the request may have one. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** Return where the key of the run counts; empty for the route of the request. */
    Optional<String> keyPlace() {
        return Optional.ofNullable(keyPlace);
    }

    boolean hasThread() {
        return keepsThread;
    }

    boolean isBackground() {
        return background;
    }

    boolean isRead() {
        return !background || streamed;
    }

    Consumer<RunOptions.Builder> options() {
        return options;
    }
}
