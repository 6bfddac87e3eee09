package dev.chargehand.internal.engine.version;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.AgentVersions;
import dev.chargehand.version.Version;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Saves, publishes and restores versions of the agents of a runtime, for one tenant. Thread-safe. */
public final class StoredVersions implements AgentVersions {

    private final StoredVersionSource source;
    private final RuntimeEnvironment environment;

    /** Make them for a tenant. */
    public StoredVersions(StoredVersionSource source, RuntimeEnvironment environment) {
        this.source = source;
        this.environment = environment;
    }

    @Override
    public List<AgentVersion> list(String agentId, @Nullable String before, int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new ConfigurationException(
                    "A page has 1 to " + LONGEST_PAGE + " versions, not " + limit + "; change the limit.");
        }
        long first = before == null
                ? Long.MAX_VALUE
                : StoredVersionSource.numberOf(before)
                        .orElseThrow(() -> new ConfigurationException("'" + before
                                + "' is not the id of a saved version, such as 'stored-3'; continue after the last one"
                                + " of the page before."));
        return versions(agentId).list(agentId, first, limit).stream()
                .map(StoredVersions::shown)
                .toList();
    }

    @Override
    public Optional<AgentVersion> find(String agentId, Version version) {
        Objects.requireNonNull(version, "The version must not be null; pass Version.published(), latest() or id(...).");
        return StoredVersionSource.saved(versions(agentId), agentId, version).map(StoredVersions::shown);
    }

    @Override
    public AgentVersion save(String agentId, String document) {
        VersionStore versions = versions(agentId);
        Objects.requireNonNull(document, "The document of a version must not be null; pass its text.");
        if (document.length() > LONGEST_DOCUMENT) {
            throw new ConfigurationException("Agent '" + agentId + "': a document has at most " + LONGEST_DOCUMENT
                    + " characters, not " + document.length() + "; make it shorter.");
        }
        requireUsable(agentId, "the document", "draft", document);
        return shown(versions.save(agentId, document, environment.time().now()));
    }

    @Override
    public AgentVersion publish(String agentId, String versionId) {
        VersionStore versions = versions(agentId);
        SavedVersion saved = require(versions, agentId, versionId);
        requireUsable(agentId, "version '" + versionId + "'", versionId, saved.document());
        if (!versions.publish(agentId, saved.number())) {
            throw missing(agentId, versionId);
        }
        return shown(require(versions, agentId, versionId));
    }

    @Override
    public AgentVersion restore(String agentId, String versionId) {
        SavedVersion saved = require(versions(agentId), agentId, versionId);
        return save(agentId, saved.document());
    }

    @Override
    public boolean delete(String agentId, String versionId) {
        VersionStore versions = versions(agentId);
        Optional<SavedVersion> saved = StoredVersionSource.saved(versions, agentId, Version.id(versionId));
        if (saved.isEmpty() || versions.delete(agentId, saved.get().number())) {
            return saved.isPresent();
        }
        if (versions.find(agentId, saved.get().number()).isEmpty()) {
            return false;
        }
        throw new ConfigurationException("Agent '" + agentId + "': version '" + versionId
                + "' is published and cannot be deleted; publish another one before.");
    }

    private VersionStore versions(String agentId) {
        AgentDefinition ignored = environment.definitions().requireCode(agentId);
        return source.versions(environment.tenantId());
    }

    private static SavedVersion require(VersionStore versions, String agentId, String versionId) {
        return StoredVersionSource.saved(versions, agentId, Version.id(versionId))
                .orElseThrow(() -> missing(agentId, versionId));
    }

    private static VersionUnknownException missing(String agentId, String versionId) {
        return new VersionUnknownException("There is no saved version '" + versionId + "' of agent '" + agentId
                + "'. List its versions to see their ids.");
    }

    private void requireUsable(String agentId, String what, String versionId, String document) {
        AgentDefinition code = environment.definitions().requireCode(agentId);
        AgentDefinition read = read(code, what, versionId, document);
        List<String> mistakes = VersionFrame.mistakes(code, read);
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException("Agent '" + agentId + "': " + what
                    + " changes what only the agent in code decides: " + String.join("; ", mistakes) + ".");
        }
    }

    private AgentDefinition read(AgentDefinition code, String what, String versionId, String document) {
        try {
            return environment
                    .callouts()
                    .call(
                            CallSite.of(CallInfo.Kind.CATALOG, code.id()),
                            source.limit(),
                            new Cancellation(),
                            () -> source.read(code, versionId, document));
        } catch (BoundedCalls.TimedOutException e) {
            throw new ConfigurationException("Agent '" + code.id() + "': " + what + " was not read within "
                    + ReadableTime.of(source.limit()) + "; try again, or set another catalogTimeLimit.");
        } catch (BoundedCalls.ThrewException e) {
            if (e.thrown() instanceof ChargehandException mistake) {
                throw mistake;
            }
            throw new ConfigurationException("Agent '" + code.id() + "': " + what + " cannot be read: "
                    + environment.redactor().sentence(e.thrown()) + " Correct it and save it again.");
        }
    }

    private static AgentVersion shown(SavedVersion saved) {
        return new AgentVersion(
                saved.agentId(),
                StoredVersionSource.idOf(saved),
                saved.document(),
                saved.createdAt(),
                saved.published(),
                saved.latest());
    }
}
