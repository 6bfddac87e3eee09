package dev.chargehand.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The sources of all modules, read by the compiler's own parser. */
record JavaSources(List<CompilationUnitTree> units, SourcePositions positions) {

    static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    /** Reads the sources of a kind, {@code main} or {@code test}, of all modules. */
    static JavaSources of(String kind) throws IOException {
        return parsed(files(kind));
    }

    static JavaSources parsed(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, problem -> {}, null, null, manager.getJavaFileObjectsFromPaths(files));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            return new JavaSources(units, Trees.instance(task).getSourcePositions());
        }
    }

    /** Returns the files of a kind, {@code main} or {@code test}, of all modules. */
    static List<Path> files(String kind) throws IOException {
        String sources = "src/" + kind + "/java";
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path module : modules.filter(Files::isDirectory).toList()) {
                Path folder = module.resolve(sources);
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> found = Files.walk(folder)) {
                        found.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
                    }
                }
            }
        }
        return files;
    }

    /** Says where something is, such as {@code chargehand-core/src/main/java/…/Tool.java:12}. */
    String place(CompilationUnitTree unit, Tree tree) {
        return name(unit) + ":" + line(unit, tree);
    }

    /** Returns the path of a file in the project. */
    static String name(CompilationUnitTree unit) {
        Path file = Path.of(unit.getSourceFile().toUri());
        return (file.startsWith(PROJECT) ? PROJECT.relativize(file) : file.getFileName()).toString();
    }

    int line(CompilationUnitTree unit, Tree tree) {
        return (int) unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
    }
}
