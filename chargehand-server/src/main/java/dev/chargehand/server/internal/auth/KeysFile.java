package dev.chargehand.server.internal.auth;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.server.ApiKey;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A JSON file of keys, which several processes may change. It is replaced as a whole, and only its owner may read it. Thread-safe. */
public final class KeysFile {

    private static final long LOOK_NANOS = 1_000_000_000L;

    /**
     * A key of the file.
     *
     * @param sha256 the digest of the key, in hexadecimal digits
     */
    public record Entry(ApiKey key, String sha256) {}

    private record Stored(
            String name,
            String sha256,
            String tenant,
            @Nullable String resource,
            List<String> scopes,
            @Nullable String expiresAt) {}

    private record State(List<Entry> entries, @Nullable FileTime modified, long size, long lookedAt) {}

    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable State state;

    /** Make it of a file, which need not exist. */
    public KeysFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** Return the keys, as the file has them now or had them a second ago. */
    public List<Entry> entries() {
        State seen = state;
        if (seen != null && System.nanoTime() - seen.lookedAt() < LOOK_NANOS) {
            return seen.entries();
        }
        lock.lock();
        try {
            State fresh = look(state);
            state = fresh;
            return fresh.entries();
        } finally {
            lock.unlock();
        }
    }

    /** Change the keys. */
    public void change(UnaryOperator<List<Entry>> change) {
        Path beside = file.resolveSibling(file.getFileName() + ".lock");
        lock.lock();
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) { // another process may change the keys too
            List<Entry> changed = change.apply(look(null).entries());
            write(changed);
            state = null;
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The file of keys " + file + " cannot be locked: " + e.getMessage() + ".", e);
        } finally {
            lock.unlock();
        }
    }

    private State look(@Nullable State before) {
        try {
            if (!Files.exists(file)) {
                return new State(List.of(), null, 0, System.nanoTime());
            }
            FileTime modified = Files.getLastModifiedTime(file);
            long size = Files.size(file);
            if (before != null && modified.equals(before.modified()) && size == before.size()) {
                return new State(before.entries(), modified, size, System.nanoTime());
            }
            return new State(read(Files.readString(file)), modified, size, System.nanoTime());
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The file of keys " + file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private List<Entry> read(String text) {
        try {
            return Json.parse(text).at("/keys").orElse(Json.of(List.of())).as(new JsonType<List<Stored>>() {}).stream()
                    .map(KeysFile::entry)
                    .toList();
        } catch (InvalidJsonException | IllegalArgumentException | NullPointerException | DateTimeException e) {
            throw new ConfigurationException(
                    "The file of keys " + file + " is damaged: " + e.getMessage()
                            + ". It is written by 'chargehand keys'; restore it, or remove it and add the keys again.",
                    e);
        }
    }

    private static Entry entry(Stored stored) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String scope : stored.scopes()) {
            scopes.add(
                    Scope.of(scope).orElseThrow(() -> new IllegalArgumentException("'" + scope + "' is not a scope")));
        }
        Principal principal =
                new Principal(stored.name(), stored.tenant(), Optional.ofNullable(stored.resource()), scopes);
        Optional<Instant> expiresAt = Optional.ofNullable(stored.expiresAt()).map(Instant::parse);
        return new Entry(new ApiKey(stored.name(), principal, expiresAt), stored.sha256());
    }

    private void write(List<Entry> entries) {
        Json json =
                Json.of(Map.of("keys", entries.stream().map(KeysFile::fields).toList()));
        Path whole = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(whole);
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        whole, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            Files.writeString(whole, json.text() + "\n");
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The file of keys " + file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }

    private static Map<String, Object> fields(Entry entry) {
        Principal principal = entry.key().principal();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", entry.key().name());
        fields.put("sha256", entry.sha256());
        fields.put("tenant", principal.tenantId());
        principal.resourceId().ifPresent(resource -> fields.put("resource", resource));
        fields.put(
                "scopes", principal.scopes().stream().sorted().map(Scope::text).toList());
        entry.key().expiresAt().ifPresent(end -> fields.put("expiresAt", end.toString()));
        return fields;
    }
}
