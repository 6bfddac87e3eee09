package dev.chargehand.internal.definition;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.version.Version;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions of agents that are not in code, for the runs of a tenant: asks a source, with a limit, and checks what that returns.
 * Thread-safe.
 */
public final class VersionCatalog {

    /** One without versions. */
    public static final VersionCatalog NONE = new VersionCatalog("", null);

    private final String tenantId;
    private final @Nullable Parts parts;

    private record Parts(
            VersionSource source, BoundedCalls calls, Duration limit, Redactor redactor, KnownVersions known) {}

    private VersionCatalog(String tenantId, @Nullable Parts parts) {
        this.tenantId = tenantId;
        this.parts = parts;
    }

    /**
     * Make it for the first tenant of a runtime.
     *
     * @param limit how long a call of the source may take
     */
    public static VersionCatalog of(
            String tenantId, VersionSource source, BoundedCalls calls, Duration limit, Redactor redactor) {
        return new VersionCatalog(tenantId, new Parts(source, calls, limit, redactor, new KnownVersions()));
    }

    /** Return that of another tenant. */
    VersionCatalog forTenant(String id) {
        return new VersionCatalog(id, parts);
    }

    /** Return whether there is a source. */
    boolean isEmpty() {
        return parts == null;
    }

    /**
     * Find a version for a run or a delegation that starts.
     *
     * @param cancellation ends the wait for the answer
     * @throws VersionUnknownException if it cannot be found out whether there is one
     */
    Optional<AgentDefinition> find(AgentDefinition code, Version wanted, Cancellation cancellation) {
        if (parts == null) {
            return Optional.empty();
        }
        Optional<AgentDefinition> found = checked(code, wanted, ask(parts, code, wanted, cancellation));
        found.ifPresent(agent -> parts.known().keep(tenantId, code, agent.requireVersion(), agent));
        return found;
    }

    /** Find the version of a run that continues; it is not asked for again if it was found here lately. */
    Optional<AgentDefinition> findAgain(AgentDefinition code, String version) {
        return parts == null
                ? Optional.empty()
                : parts.known()
                        .get(tenantId, code, version)
                        .or(() -> find(code, Version.id(version), new Cancellation()));
    }

    private Optional<AgentDefinition> ask(
            Parts asked, AgentDefinition code, Version wanted, Cancellation cancellation) {
        CallSite site = CallSite.of(CallInfo.Kind.CATALOG, code.id());
        try {
            return asked.calls().call(site, asked.limit(), cancellation, () -> asked.source()
                    .find(tenantId, code, wanted));
        } catch (BoundedCalls.TimedOutException e) {
            throw failure(code, wanted, "did not answer within " + ReadableTime.of(asked.limit()), e);
        } catch (BoundedCalls.ThrewException e) {
            String said = e.thrown() instanceof ChargehandException ours
                    ? "failed: " + asked.redactor().redact(ours.getMessage())
                    : "failed: " + asked.redactor().words(e.thrown());
            throw failure(code, wanted, said, e.thrown());
        }
    }

    private static VersionUnknownException failure(
            AgentDefinition code, Version wanted, String what, @Nullable Throwable cause) {
        return new VersionUnknownException(
                "Version " + wanted + " of agent '" + code.id() + "': the catalog of the runtime " + what
                        + (what.endsWith(".") ? "" : ".") + " The agent in code was not used instead.",
                cause);
    }

    private static Optional<AgentDefinition> checked(
            AgentDefinition code, Version wanted, Optional<AgentDefinition> found) {
        AgentDefinition agent = found.orElse(null);
        if (agent == null) {
            return found;
        }
        String version = agent.version();
        boolean wrongVersion =
                version == null || wanted.id().filter(id -> !id.equals(version)).isPresent();
        if (!agent.id().equals(code.id()) || wrongVersion) {
            throw failure(
                    code,
                    wanted,
                    "returned agent '" + agent.id() + "' with "
                            + (version == null ? "no version" : "version '" + version + "'")
                            + "; it must return an agent of that id with that version",
                    null);
        }
        return found;
    }
}
