package dev.chargehand.version;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names a version of an agent: by its id, or the one that is published or was saved last at the time at which a run or a delegation
 * starts.
 *
 * <p>A version that does not exist is an error, {@code version-unknown}. Only {@link #orCode} lets the agent in code take its place.
 * Immutable and thread-safe.
 */
public final class Version {

    /** How many characters the id of a version may have. */
    public static final int LONGEST = 64;

    private static final Version PUBLISHED = new Version(Kind.PUBLISHED, null, false);
    private static final Version LATEST = new Version(Kind.LATEST, null, false);

    private static final Json YES = Json.of(true);
    private static final Json NO = Json.of(false);

    private final Kind kind;
    private final @Nullable String id;
    private final boolean orCode;

    /** How a version is named. */
    public enum Kind {
        /** By its id. */
        ID,
        /** The one that is published. */
        PUBLISHED,
        /** The one that was saved last, published or not. */
        LATEST
    }

    private Version(Kind kind, @Nullable String id, boolean orCode) {
        this.kind = kind;
        this.id = id;
        this.orCode = orCode;
    }

    /**
     * Name a version by its id.
     *
     * @throws ConfigurationException if it is null, blank, longer than {@value #LONGEST} characters, or has a control character in it
     */
    public static Version id(String id) {
        if (id == null || id.isBlank() || id.length() > LONGEST || id.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigurationException("The id of a version is " + (id == null ? "null" : "'" + id + "'")
                    + ", but must have 1 to " + LONGEST
                    + " characters, not only spaces and none of them a control character; for example '2026-11'.");
        }
        return new Version(Kind.ID, id, false);
    }

    /** Name the version that is published. Only a catalog of stored versions publishes; agents in code are not published. */
    public static Version published() {
        return PUBLISHED;
    }

    /** Name the version that was saved last. Only a catalog of stored versions saves. */
    public static Version latest() {
        return LATEST;
    }

    /** Return this version, in whose place the agent in code is used if it does not exist. */
    @CheckReturnValue
    public Version orCode() {
        return new Version(kind, id, true);
    }

    /** Return how it is named. */
    public Kind kind() {
        return kind;
    }

    /** Return its id, if it is named by that. */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /** Return whether the agent in code is used if it does not exist. */
    public boolean fallsBackToCode() {
        return orCode;
    }

    /** Return it as JSON: {@code {"versionId": "2026-11"}} or {@code {"status": "published"}}, with {@code "orCode": true} if so. */
    public Json toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (id != null) {
            fields.put("versionId", id);
        } else {
            fields.put("status", status());
        }
        if (orCode) {
            fields.put("orCode", true);
        }
        return Json.of(fields);
    }

    /**
     * Read what {@link #toJson} returns.
     *
     * @throws ConfigurationException if it has another form
     */
    public static Version fromJson(Json json) {
        Map<String, Json> fields = json.isObject() ? json.fields() : Map.of();
        Optional<String> id = text(fields, "versionId");
        Optional<String> status = text(fields, "status").filter(Set.of("published", "latest")::contains);
        Json orCode = fields.getOrDefault("orCode", NO);
        boolean isFlag = orCode.equals(YES) || orCode.equals(NO);
        int known = 1 + (fields.containsKey("orCode") ? 1 : 0);
        if (id.isPresent() == status.isPresent() || !isFlag || fields.size() != known) {
            throw new ConfigurationException("A version is {\"versionId\": \"...\"}, {\"status\": \"published\"} or"
                    + " {\"status\": \"latest\"}, perhaps with \"orCode\": true; here it is " + json.text() + ".");
        }
        Version version = id.map(Version::id).orElse(status.equals(Optional.of("latest")) ? LATEST : PUBLISHED);
        return orCode.equals(YES) ? version.orCode() : version;
    }

    private static Optional<String> text(Map<String, Json> fields, String name) {
        return Optional.ofNullable(fields.get(name)).flatMap(Json::string);
    }

    private String status() {
        return kind == Kind.LATEST ? "latest" : "published";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Version that
                && kind == that.kind
                && orCode == that.orCode
                && Objects.equals(id, that.id);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, id, orCode);
    }

    /** Return it for an error message: {@code '2026-11'}, {@code published} or {@code latest}. */
    @Override
    public String toString() {
        return id == null ? status() : "'" + id + "'";
    }
}
