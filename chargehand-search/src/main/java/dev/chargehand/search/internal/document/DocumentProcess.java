package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents in a process of its own, with a limit of memory and of time.
 *
 * <p>A hostile PDF can make any reader allocate without end or loop: in here it ends that process, and one file is left
 * out. The process is started with the first document and is used for many.
 */
public final class DocumentProcess implements DocumentReader {

    /** So many of them may be lost; then a folder is taken for one that is meant to cost time. */
    private static final int MOST_LOST = 20;

    /** What the JVM ends with when it has no memory left. */
    private static final int OUT_OF_MEMORY = 3;

    /** What the JVM ends with when there is no such class, or it does not know an option. */
    private static final int NEVER_BEGAN = 1;

    private static final List<String> LIBRARIES = List.of(
            "org.jsoup.Jsoup",
            "org.apache.pdfbox.Loader",
            "org.apache.pdfbox.io.IOUtils",
            "org.apache.fontbox.FontBoxFont",
            "org.apache.commons.logging.LogFactory",
            "org.slf4j.LoggerFactory",
            "org.slf4j.spi.LocationAwareLogger");

    /** What a JVM may need of the environment. */
    private static final Set<String> NEEDED =
            Set.of("LANG", "LC_ALL", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR");

    private final int megabytes;
    private final Duration limit;
    private @Nullable Running running;
    private int lost;

    private record Running(Process process, DataOutputStream to, DataInputStream from) {}

    public DocumentProcess(int megabytes, Duration limit) {
        this.megabytes = megabytes;
        this.limit = limit;
    }

    @Override
    public DocumentText read(String end, byte[] bytes) throws IOException, InterruptedException {
        if (lost >= MOST_LOST) {
            throw new UnreadableDocumentException(
                    Reason.UNSUPPORTED, "comes after " + MOST_LOST + " documents that could not be read at all");
        }
        Running current = running();
        FutureTask<DocumentText> exchange = new FutureTask<>(() -> {
            DocumentWire.ask(current.to(), end, bytes);
            return DocumentWire.answer(current.from());
        });
        Thread.ofPlatform().daemon().name("chargehand-documents").start(exchange);
        boolean answered = false;
        try {
            DocumentText text = exchange.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            answered = true;
            return text;
        } catch (TimeoutException e) {
            throw new UnreadableDocumentException(
                    Reason.TOO_COSTLY, "takes longer than " + limit.toSeconds() + " seconds to read");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnreadableDocumentException unreadable) {
                answered = true;
                throw unreadable;
            }
            throw lost(current.process());
        } finally {
            if (!answered) {
                lost++;
                close();
            }
        }
    }

    private UnreadableDocumentException lost(Process process) throws InterruptedException {
        boolean ended = process.waitFor(5, TimeUnit.SECONDS);
        if (ended && process.exitValue() == OUT_OF_MEMORY) {
            return new UnreadableDocumentException(
                    Reason.TOO_COSTLY, "needs more than " + megabytes + " MB of memory to be read");
        }
        if (ended && process.exitValue() == NEVER_BEGAN) {
            lost = MOST_LOST;
            return new UnreadableDocumentException(
                    Reason.UNSUPPORTED, "could not be read: the process that reads documents does not start here");
        }
        return new UnreadableDocumentException(Reason.DAMAGED, "ended the process that read it");
    }

    private Running running() throws IOException {
        Running there = running;
        if (there == null) {
            Process process;
            try {
                ProcessBuilder builder = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx" + megabytes + "m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-Djava.awt.headless=true",
                                "-cp",
                                classPath(),
                                DocumentMain.class.getName(),
                                Long.toString(limit.toMillis() + 5_000))
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
                builder.environment().keySet().retainAll(NEEDED); // keys of providers are none of a document's business
                process = builder.start();
            } catch (IOException e) {
                lost = MOST_LOST;
                throw new UnreadableDocumentException(
                        Reason.UNSUPPORTED, "could not be read: the process that reads documents cannot be started");
            }
            there = new Running(
                    process,
                    new DataOutputStream(new BufferedOutputStream(process.getOutputStream())),
                    new DataInputStream(new BufferedInputStream(process.getInputStream())));
            running = there;
        }
        return there;
    }

    /** Where this class and the libraries have come from; not the whole class path, which may not be in a property. */
    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        add(places, DocumentMain.class);
        for (String library : LIBRARIES) {
            try {
                add(places, Class.forName(library, false, DocumentMain.class.getClassLoader()));
            } catch (ClassNotFoundException e) {
                // then what needs it says so
            }
        }
        return String.join(File.pathSeparator, places);
    }

    private static void add(Set<String> places, Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source != null && source.getLocation() != null) {
            try {
                places.add(Path.of(source.getLocation().toURI()).toString());
            } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
                // a jar within another one: the process will not find it
            }
        }
    }

    @Override
    public void close() {
        Running there = running;
        running = null;
        if (there != null) {
            there.process().destroyForcibly();
        }
    }
}
