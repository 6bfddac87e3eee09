package dev.chargehand.config.internal.server;

import dev.chargehand.config.internal.key.Key;
import dev.chargehand.config.internal.key.ServerKeys;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelChoice;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The server of a file; null or empty where the file sets nothing. */
public record ServerEntry(
        @Nullable Setting host,
        @Nullable Integer port,
        List<Setting> names,
        @Nullable String binding,
        @Nullable Setting keys,
        @Nullable Oidc oidc,
        List<Setting> contextKeys,
        List<Setting> selectableVersions,
        List<Setting> selectableModels,
        @Nullable List<Setting> wires,
        List<Setting> resumable,
        @Nullable String answers,
        Map<String, Long> limits,
        Map<String, Duration> timeLimits) {

    private static final Pattern NO_HOST = Pattern.compile("[/\\s]|^[^\\[$]*:\\d*$");

    /** The OpenID provider of a server. */
    public record Oidc(
            Setting issuer,
            Setting audience,
            @Nullable Setting tenantClaim,
            @Nullable Setting resourceClaim,
            @Nullable Setting scopesClaim) {}

    /**
     * Read the server of a file.
     *
     * @param agents the ids of its agents
     */
    public static ServerEntry of(Section file, Collection<String> agents) {
        Section server = file.section("server", "'server'").allowing(ServerKeys.SECTION.names());
        List<Setting> wires = known(ServerKeys.OFFERED, server, "wire", ServerKeys.WIRES);
        List<Setting> resumable = known(ServerKeys.RESUMABLE, server, "wire", ServerKeys.WIRES);
        List<Setting> names = texts(ServerKeys.NAMES, server);
        requireOffered(server, wires, resumable);
        requireHosts(server, names);
        return new ServerEntry(
                ServerKeys.HOST.in(server),
                ServerKeys.PORT.in(server),
                names,
                ServerKeys.BINDING.in(server),
                ServerKeys.KEYS.in(server),
                server.has("oidc") ? oidc(server) : null,
                texts(ServerKeys.CONTEXT_KEYS, server),
                known(ServerKeys.SELECTABLE_VERSIONS, server, "agent", agents),
                models(server),
                server.has("wires") ? wires : null,
                resumable,
                ServerKeys.ANSWERS.in(server),
                values(server, "limits", ServerKeys.Limits.ALL),
                values(server, "timeLimits", ServerKeys.TimeLimits.ALL));
    }

    private static void requireOffered(Section server, List<Setting> wires, List<Setting> resumable) {
        List<String> offered = wires.stream().map(Setting::text).toList();
        for (Setting each : resumable) {
            if (server.has("wires") && ServerKeys.WIRES.contains(each.text()) && !offered.contains(each.text())) {
                server.mistakes()
                        .add(
                                each.at(),
                                "'" + each.text()
                                        + "' in 'resumable' of 'server' is not in its 'wires', so that it is not"
                                        + " offered. Add it there, or leave it out here.");
            }
        }
    }

    private static void requireHosts(Section server, List<Setting> names) {
        for (Setting each : names) {
            if (NO_HOST.matcher(each.text()).find()) {
                server.mistakes()
                        .add(
                                each.at(),
                                "'" + Section.shown(each.text()) + "' in 'names' of 'server' must be the name of a host"
                                        + " without a scheme, a port or a path, such as agents.example.com.");
            }
        }
    }

    private static List<Setting> texts(Key<List<Setting>> key, Section section) {
        List<Setting> texts = key.in(section);
        return texts == null ? List.of() : texts;
    }

    private static List<Setting> models(Section server) {
        List<Setting> models = texts(ServerKeys.SELECTABLE_MODELS, server);
        for (Setting each : models) {
            try {
                Object ignored = ModelChoice.of(each.text());
            } catch (ConfigurationException e) {
                server.mistakes().add(each.at(), "'selectableModels' of 'server': " + e.getMessage());
            }
        }
        return models;
    }

    private static List<Setting> known(
            Key<List<Setting>> key, Section section, String kind, Collection<String> allowed) {
        List<Setting> texts = texts(key, section);
        for (Setting each : texts) {
            if (!allowed.contains(each.text())) {
                section.mistakes()
                        .add(
                                each.at(),
                                "unknown " + kind + " '" + Section.shown(each.text()) + "' in '" + key.name()
                                        + "' of 'server'."
                                        + NameSuggestions.allowed("There are", each.text(), allowed));
            }
        }
        return texts;
    }

    private static Oidc oidc(Section server) {
        Section oidc = server.section("oidc", "'oidc' of 'server'").allowing(ServerKeys.Oidc.SECTION.names());
        return new Oidc(
                required(ServerKeys.Oidc.ISSUER, oidc, "https://login.example.com"),
                required(ServerKeys.Oidc.AUDIENCE, oidc, "agents"),
                ServerKeys.Oidc.TENANT_CLAIM.in(oidc),
                ServerKeys.Oidc.RESOURCE_CLAIM.in(oidc),
                ServerKeys.Oidc.SCOPES_CLAIM.in(oidc));
    }

    private static Setting required(Key<Setting> key, Section oidc, String example) {
        if (!oidc.has(key.name())) {
            oidc.mistakes()
                    .add(
                            oidc.at(),
                            "'oidc' of 'server' has no '" + key.name() + "'. Add it, such as " + key.name() + ": "
                                    + example + ".");
        }
        Setting found = key.in(oidc);
        return found == null ? new Setting("", oidc.at()) : found;
    }

    private static <T> Map<String, T> values(Section server, String name, List<Key<T>> keys) {
        Section section = server.section(name, "'" + name + "' of 'server'")
                .allowing(keys.stream().map(Key::name).toList());
        Map<String, T> values = new LinkedHashMap<>();
        for (Key<T> key : keys) {
            T value = key.in(section);
            if (value != null) {
                values.put(key.name(), value);
            }
        }
        return values;
    }
}
