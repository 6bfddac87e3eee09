package dev.chargehand.version;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RequestContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of agents are used: by the ids of the agents, and a default for all others.
 *
 * <p>A call, the request context under {@link #KEY}, the default options of an agent and the runtime can have such a selection. Of each
 * agent the first of them that names it wins, then the first default, then the agent in code. Immutable and thread-safe.
 */
public final class Versions {

    /** No version is selected. */
    public static final Versions NONE = new Versions(Map.of(), null);

    /** The key under which a request context can have a selection, as JSON: {@code context.with(Versions.KEY, versions.toJson())}. */
    public static final RequestContext.Key<Json> KEY = RequestContext.Key.of("chargehand.versions", Json.class);

    private static final Json NO_AGENTS = Json.of(Map.of());

    private final Map<String, Version> agents;
    private final @Nullable Version byDefault;

    private Versions(Map<String, Version> agents, @Nullable Version byDefault) {
        this.agents = Collections.unmodifiableMap(agents);
        this.byDefault = byDefault;
    }

    /**
     * Return this selection with another version of an agent.
     *
     * @throws ConfigurationException if the id or the version is null
     */
    @CheckReturnValue
    public Versions agent(String agentId, Version version) {
        if (agentId == null || version == null) {
            throw new ConfigurationException("A version is selected for agent '" + agentId + "', and is " + version
                    + "; neither of both can be null.");
        }
        Map<String, Version> more = new LinkedHashMap<>(agents);
        more.put(agentId, version);
        return new Versions(more, byDefault);
    }

    /**
     * Return this selection with another version for all agents that it does not name.
     *
     * @throws ConfigurationException if the version is null
     */
    @CheckReturnValue
    public Versions defaultVersion(Version version) {
        if (version == null) {
            throw new ConfigurationException("The default version is null; leave it out to use the agents in code.");
        }
        return new Versions(agents, version);
    }

    /** Return this selection, and where it names nothing, another. */
    @CheckReturnValue
    public Versions orElse(Versions others) {
        if (others.isEmpty() || equals(others)) {
            return this;
        }
        Map<String, Version> all = new LinkedHashMap<>(others.agents);
        all.putAll(agents);
        return new Versions(all, byDefault == null ? others.byDefault : byDefault);
    }

    /** Return the versions that were selected by the id of an agent. */
    public Map<String, Version> agents() {
        return agents;
    }

    /** Return the version of all other agents, if one was selected. */
    public Optional<Version> defaultVersion() {
        return Optional.ofNullable(byDefault);
    }

    /** Return whether nothing is selected. */
    public boolean isEmpty() {
        return agents.isEmpty() && byDefault == null;
    }

    /**
     * Return the selection of a request context; {@link #NONE} if it has none.
     *
     * @throws ConfigurationException if what it has under the name of {@link #KEY} has another form than {@link #toJson}, or is not
     *     stored with the run
     */
    public static Versions in(RequestContext context) {
        if (context.transientNames().contains(KEY.name())) {
            throw new ConfigurationException("The value of request context key '" + KEY.name()
                    + "' selects versions, so it must be stored; set it with Versions.KEY.");
        }
        return Optional.ofNullable(context.stored().get(KEY.name()))
                .map(Versions::fromJson)
                .orElse(NONE);
    }

    /** Return it as JSON, such as {@code {"agents": {"writer": {"versionId": "2"}}, "default": {"status": "published"}}}. */
    public Json toJson() {
        Map<String, Json> named = new LinkedHashMap<>();
        agents.forEach((id, version) -> named.put(id, version.toJson()));
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("agents", Json.of(named));
        defaultVersion().ifPresent(version -> fields.put("default", version.toJson()));
        return Json.of(fields);
    }

    /**
     * Read what {@link #toJson} returns; either field may be missing.
     *
     * @throws ConfigurationException if it has another form
     */
    public static Versions fromJson(Json json) {
        Json named = json.isObject() ? json.fields().getOrDefault("agents", NO_AGENTS) : json;
        if (!named.isObject()
                || !Set.of("agents", "default").containsAll(json.fields().keySet())) {
            throw new ConfigurationException(
                    "A selection of versions is {\"agents\": {\"<agent id>\": <version>}, \"default\":"
                            + " <version>}, here it is " + json.text() + ".");
        }
        Map<String, Version> agents = new LinkedHashMap<>();
        named.fields().forEach((id, version) -> agents.put(id, Version.fromJson(version)));
        Json byDefault = json.fields().get("default");
        return new Versions(agents, byDefault == null ? null : Version.fromJson(byDefault));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Versions that
                && agents.equals(that.agents)
                && Objects.equals(byDefault, that.byDefault);
    }

    @Override
    public int hashCode() {
        return Objects.hash(agents, byDefault);
    }

    @Override
    public String toString() {
        return "Versions" + agents + (byDefault == null ? "" : ", default " + byDefault);
    }
}
