package dev.chargehand.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's own linter: {@code javac -Xlint:all} over the Java files of a folder. */
record JavaLint(Path folder) {

    /** Return a line for each problem, such as {@code Basket.java:5: found raw type: java.util.List}. */
    List<String> problems() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("This Java has no compiler; run the example with a JDK.");
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null);
                Stream<Path> all = Files.walk(folder)) {
            List<Path> sources = all.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
            List<String> options = List.of("-Xlint:all", "-proc:none", "-implicit:none", "-d", folder.toString());
            compiler.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return found.getDiagnostics().stream().map(JavaLint::line).toList();
    }

    private static String line(Diagnostic<? extends JavaFileObject> problem) {
        JavaFileObject source = problem.getSource();
        String where =
                source == null ? "" : Path.of(source.toUri()).getFileName() + ":" + problem.getLineNumber() + ": ";
        return where + problem.getMessage(Locale.ROOT).lines().findFirst().orElse("");
    }
}
