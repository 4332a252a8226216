// What javac's own parser says the files under ROOT define: one JSON object a line, layout and comments out.
// java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED Java.java ROOT
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.tools.*;

public class Java {
    static String json(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < 32) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    static String flat(Object tree) {
        return tree == null ? "" : tree.toString().replaceAll("\\s+", " ").trim();
    }

    static class Scan extends TreeScanner<Void, Void> {
        final CompilationUnitTree unit; final SourcePositions places; final String file;
        final Deque<String> scope = new ArrayDeque<>();
        Scan(CompilationUnitTree unit, SourcePositions places, String file) { this.unit = unit; this.places = places; this.file = file; }

        void emit(String name, String kind, String sig, String body, Tree tree) {
            LineMap lines = unit.getLineMap();
            long start = places.getStartPosition(unit, tree), end = places.getEndPosition(unit, tree);
            if (start < 0 || end < 0) return;
            String qual = Stream.concat(scope.stream(), Stream.of(name)).collect(Collectors.joining("."));
            System.out.printf("{\"file\":%s,\"name\":%s,\"qual\":%s,\"kind\":\"%s\",\"sig\":%s,\"body\":%s,\"full\":%s,\"line\":0,\"start\":%d,\"end\":%d}%n",
                json(file), json(name), json(qual), kind, json(sig), json(body), json(flat(tree)), lines.getLineNumber(start), lines.getLineNumber(end - 1));
        }

        String flags(ModifiersTree modifiers) {
            return modifiers.getFlags().stream().map(Object::toString).sorted().collect(Collectors.joining(" "));
        }

        @Override public Void visitClass(ClassTree tree, Void none) {
            String name = tree.getSimpleName().toString();
            if (name.isEmpty()) return null;
            String sig = String.join(" | ", flags(tree.getModifiers()), tree.getKind().toString(), flat(tree.getTypeParameters()), flat(tree.getExtendsClause()), flat(tree.getImplementsClause()));
            emit(name, "type", sig, flat(tree.getMembers()), tree);
            scope.addLast(name);
            for (Tree member : tree.getMembers()) if (member instanceof ClassTree || member instanceof MethodTree) scan(member, none);
            scope.removeLast();
            return null;
        }

        @Override public Void visitMethod(MethodTree tree, Void none) {
            String name = tree.getName().toString();
            if (name.equals("<init>")) name = scope.peekLast();
            String sig = String.join(" | ", flags(tree.getModifiers()), flat(tree.getTypeParameters()), flat(tree.getReturnType()), flat(tree.getParameters()), flat(tree.getThrows()));
            emit(name, "callable", sig, flat(tree.getBody()), tree);
            return null;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        List<Path> files;
        try (Stream<Path> found = Files.walk(root)) {
            files = found.filter(path -> path.toString().endsWith(".java")).filter(Files::isRegularFile).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (Path path : files) {
            DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
            var manager = compiler.getStandardFileManager(problems, null, null);
            var task = (JavacTask) compiler.getTask(null, manager, problems, List.of("-proc:none"), null, manager.getJavaFileObjects(path));
            SourcePositions places = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                if (problems.getDiagnostics().stream().anyMatch(one -> one.getKind() == Diagnostic.Kind.ERROR)) continue;
                new Scan(unit, places, root.relativize(path).toString()).scan(unit, null);
            }
        }
    }
}
