package dev.chargehand.server.internal.api;

import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.thread.ThreadOwner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds what belongs to a caller. A run or thread of another tenant or resource behaves like a missing one; ids that callers choose for
 * threads are mapped, so that the same id of two resources names two threads.
 */
public final class Owners {

    private static final String MINTED = "thr_";

    private final ServerState state;

    /** Make it. */
    public Owners(ServerState state) {
        this.state = state;
    }

    /**
     * Return for which resource a call acts.
     *
     * @param named the resource that the request names, or null
     * @return empty for none
     */
    public static Optional<String> resource(Principal principal, @Nullable String named) {
        Optional<String> own = principal.resourceId();
        if (named == null || own.filter(named::equals).isPresent()) {
            return own;
        }
        if (!principal.actsForAnyResource()) {
            throw Problem.NOT_ALLOWED
                    .of("The caller acts for its own resource only; to name another it needs the scope '"
                            + Scope.RESOURCES_ANY.text() + "'.")
                    .with("scope", Scope.RESOURCES_ANY.text());
        }
        return Optional.of(named);
    }

    /**
     * Return which waiting calls a caller may list.
     *
     * @param resource that for which the call acts; of all resources if it is empty
     */
    public static WaitingFilter waiting(Optional<String> resource) {
        return resource.map(WaitingFilter.ALL::resource).orElse(WaitingFilter.ALL);
    }

    /** Return the record of a root or nested run that a path names. */
    public RunRecord run(Call call) {
        return run(call.principal(), call.parameter("id"));
    }

    /** Return the record of a root run that a path names. */
    public RunRecord root(Call call) {
        RunRecord run = run(call);
        if (!run.isRoot()) {
            throw Problem.BAD_REQUEST
                    .of("The run is a nested one; use the id of its root run.")
                    .with("rootRunId", run.rootRunId().value());
        }
        return run;
    }

    /** Return the record of a root or nested run. */
    public RunRecord run(Principal principal, String id) {
        return Optional.of(id)
                .filter(text -> !text.isBlank())
                .flatMap(text -> state.runtime(principal).findRun(new RunId(text)))
                .filter(run -> owns(principal, run))
                .orElseThrow(() -> Problem.RUN_UNKNOWN.of("There is no run with this id."));
    }

    /** Return whether a caller may know of a run. */
    public boolean owns(Principal principal, RunRecord run) {
        if (principal.actsForAnyResource()) {
            return true;
        }
        Optional<RunRecord> root =
                run.isRoot() ? Optional.of(run) : state.runtime(principal).findRun(run.rootRunId());
        return root.flatMap(RunRecord::resourceId).equals(principal.resourceId());
    }

    /**
     * Return the id of the thread that a caller names: the stored one of its resource, or the one to which the id is mapped.
     */
    public String thread(Principal principal, Optional<String> resource, String id) {
        boolean stored =
                state.runtime(principal).threads().find(owner(resource), id).isPresent();
        return stored ? id : mapped(principal, resource, id);
    }

    /** Return the id to which a caller's id is mapped. */
    public static String mapped(Principal principal, Optional<String> resource, String id) {
        return MINTED + digest(principal.tenantId(), resource.orElse(""), id).substring(0, 22);
    }

    /** Return the owner of the threads of a resource. */
    public static ThreadOwner owner(Optional<String> resource) {
        return ThreadOwner.of(resource.orElse(null));
    }

    /** Return a digest of texts, in characters that ids may have. */
    public static String digest(String... texts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                digest.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
                digest.update(bytes);
            }
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }
}
