// Some functions of a module → a module of their own, in which all else that they use is declared. LLVM's C interface cannot copy a function
// into another module; what it can do instead (reading the whole once for each part) takes time in the order of parts times functions.

#include "llvm-c/Core.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

class Part final : public ValueMaterializer {
  public:
    Part(Module &whole, ArrayRef<LLVMValueRef> inlined)
        : module(std::make_unique<Module>("part", whole.getContext())) {
        module->setDataLayout(whole.getDataLayout());
        module->setTargetTriple(whole.getTargetTriple());
        if (NamedMDNode *flags = whole.getModuleFlagsMetadata())
            for (MDNode *flag : flags->operands())
                module->getOrInsertModuleFlagsMetadata()->addOperand(flag);
        for (LLVMValueRef function : inlined)
            comes_along.insert(unwrap<Function>(function));
    }

    // Asked for everything that a copied function mentions and that is not known yet.
    Value *materialize(Value *value) override {
        auto *global = dyn_cast<GlobalValue>(value);
        return global ? declare(*global) : nullptr;
    }

    Function &declare_function(const Function &function) {
        return *cast<Function>(known[&function] = declare(function));
    }

    void define(const Function &function, GlobalValue::LinkageTypes linkage) {
        Function &copy = *cast<Function>(known[&function]);
        for (auto pair : zip(function.args(), copy.args()))
            known[&std::get<0>(pair)] = &std::get<1>(pair);
        SmallVector<ReturnInst *, 8> returns;
        CloneFunctionInto(&copy, &function, known, CloneFunctionChangeType::DifferentModule, returns, "", nullptr,
                          nullptr, this);
        if (function.hasPersonalityFn())
            copy.setPersonalityFn(MapValue(function.getPersonalityFn(), known, RF_None, nullptr, this));
        copy.setLinkage(linkage);
    }

    // Bodies of what is to be inlined, and of what those call in turn.
    void define_inlined() {
        while (!waiting.empty())
            define(*waiting.pop_back_val(), GlobalValue::AvailableExternallyLinkage);
    }

    std::unique_ptr<Module> module;

  private:
    GlobalValue *declare(const GlobalValue &global) {
        auto linkage = global.isDeclaration() ? global.getLinkage() : GlobalValue::ExternalLinkage;
        unsigned space = global.getAddressSpace();
        if (auto *type = dyn_cast<FunctionType>(global.getValueType())) {
            Function *declared = Function::Create(type, linkage, space, global.getName(), module.get());
            if (auto *function = dyn_cast<Function>(&global)) {
                declared->copyAttributesFrom(function);
                declared->setPersonalityFn(nullptr);
                if (comes_along.contains(function)) {
                    waiting.push_back(function);
                    known[function] = declared;
                }
            } else {
                declared->setVisibility(global.getVisibility());
            }
            return declared;
        }
        auto *variable = dyn_cast<GlobalVariable>(&global);
        auto *declared = new GlobalVariable(*module, global.getValueType(), variable && variable->isConstant(), linkage,
                                            nullptr, global.getName(), nullptr, global.getThreadLocalMode(), space);
        if (variable)
            declared->copyAttributesFrom(variable);
        else
            declared->setVisibility(global.getVisibility());
        return declared;
    }

    ValueToValueMapTy known;
    DenseSet<const Function *> comes_along;
    SmallVector<const Function *, 16> waiting;
};

} // namespace

extern "C" {

LLVMModuleRef covet_part(LLVMModuleRef whole, const LLVMValueRef *functions, size_t count, const LLVMValueRef *inlined,
                         size_t inlined_count) {
    Part part(*unwrap(whole), ArrayRef(inlined, inlined_count));
    ArrayRef<LLVMValueRef> chosen(functions, count);
    for (LLVMValueRef function : chosen)
        part.declare_function(*unwrap<Function>(function));
    for (LLVMValueRef function : chosen)
        part.define(*unwrap<Function>(function), unwrap<Function>(function)->getLinkage());
    part.define_inlined();
    return wrap(part.module.release());
}

void covet_delete_body(LLVMValueRef function) { unwrap<Function>(function)->deleteBody(); }
}
