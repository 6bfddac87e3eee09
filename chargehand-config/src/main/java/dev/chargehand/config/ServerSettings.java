package dev.chargehand.config;

import dev.chargehand.config.internal.server.ServerEntry;
import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of the server of its agents, under {@code server}. Nothing means the default of the server. Environment variables in texts are
 * not replaced. Immutable.
 */
public final class ServerSettings {

    private final ServerEntry entry;

    ServerSettings(ServerEntry entry) {
        this.entry = entry;
    }

    /** Return the address on which it listens. */
    public Optional<Setting> host() {
        return Optional.ofNullable(entry.host());
    }

    /** Return the port, from 0 to 65,535. */
    public OptionalInt port() {
        Integer port = entry.port();
        return port == null ? OptionalInt.empty() : OptionalInt.of(port);
    }

    /** Return further names under which callers reach it. */
    public List<Setting> names() {
        return entry.names();
    }

    /** Return the server of HTTP below: {@code helidon} or {@code jdk}. */
    public Optional<String> binding() {
        return Optional.ofNullable(entry.binding());
    }

    /** Return the file with the keys of callers, relative to the folder of the agents' file. */
    public Optional<Setting> keys() {
        return Optional.ofNullable(entry.keys());
    }

    /** Return the OpenID provider whose tokens it accepts. */
    public Optional<Oidc> oidc() {
        return Optional.ofNullable(entry.oidc())
                .map(oidc -> new Oidc(
                        oidc.issuer(), oidc.audience(), oidc.tenantClaim(), oidc.resourceClaim(), oidc.scopesClaim()));
    }

    /** Return the values of the request context that callers may set. */
    public List<Setting> contextKeys() {
        return entry.contextKeys();
    }

    /** Return the agents, by their ids, of which callers may select any version. */
    public List<Setting> selectableVersions() {
        return entry.selectableVersions();
    }

    /** Return the models, by their names, in which callers may continue a run by a fork. */
    public List<Setting> selectableModels() {
        return entry.selectableModels();
    }

    /** Return the protocols of existing clients that it offers, of {@code openai}, {@code ai-sdk}, {@code ag-ui} and {@code mastra}. */
    public Optional<List<Setting>> wires() {
        return Optional.ofNullable(entry.wires());
    }

    /** Return those on which a run continues if its client goes. */
    public List<Setting> resumable() {
        return entry.resumable();
    }

    /** Return when clients that cannot take a text back receive that of an answer: {@code auto}, {@code final} or {@code live}. */
    public Optional<String> answers() {
        return Optional.ofNullable(entry.answers());
    }

    /** Return the limits that are set, above zero, by their keys. */
    public Map<String, Long> limits() {
        return entry.limits();
    }

    /** Return the time limits that are set, above zero, by their keys. */
    public Map<String, Duration> timeLimits() {
        return entry.timeLimits();
    }

    /**
     * An OpenID provider.
     *
     * @param issuer its address
     * @param audience what the tokens for this server have as {@code aud}
     * @param tenantClaim the claim with the tenant; null for none
     * @param resourceClaim the claim with the resource; null for the default
     * @param scopesClaim the claim with the scopes; null for the default
     */
    public record Oidc(
            Setting issuer,
            Setting audience,
            @Nullable Setting tenantClaim,
            @Nullable Setting resourceClaim,
            @Nullable Setting scopesClaim) {}
}
